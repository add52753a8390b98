package dev.tidemark.storage;

import dev.tidemark.error.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The content of a message: bytes that Tidemark stores and returns exactly and never looks into. Immutable; may be empty.
 * Its {@link #toString()} tells the size only, so that a payload never reaches a log.
 */
public final class Body {

    private static final Body EMPTY = new Body(new byte[0]);

    private final byte[] bytes;

    private Body(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The body without content. */
    public static Body empty() {
        return EMPTY;
    }

    /** A body with a copy of the bytes. */
    public static Body of(byte[] bytes) {
        return new Body(bytes.clone());
    }

    /**
     * A body of the text in UTF-8.
     *
     * @throws InvalidInputException naming {@code text} when it has an unpaired surrogate: UTF-8 cannot express that, and
     *     something else would be stored
     */
    public static Body of(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return new Body(bytes);
        } catch (CharacterCodingException e) {
            throw new InvalidInputException("text", "no unpaired surrogate");
        }
    }

    /** A body over the array itself, without a copy: the caller gives it away and must not write to it again. */
    public static Body wrap(byte[] bytes) {
        return new Body(bytes);
    }

    /** The number of bytes. */
    public int size() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** A read-only view of the bytes, without a copy. */
    public ByteBuffer asByteBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /**
     * The array itself, without a copy, for adapters that hand it to a driver. Whoever writes to it breaks every holder of
     * this body.
     */
    public byte[] unsafeBytes() {
        return bytes;
    }

    /** The bytes read as UTF-8 text. */
    public String toText() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Body body && Arrays.equals(bytes, body.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Body[" + bytes.length + " bytes]";
    }
}
