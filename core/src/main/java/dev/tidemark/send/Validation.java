package dev.tidemark.send;

import dev.tidemark.error.ErrorCode;
import dev.tidemark.error.Refusal;
import dev.tidemark.storage.Body;
import dev.tidemark.storage.Ids;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The step that validates: judges a request by itself, before anything of value is spent on it. */
final class Validation {

    private final int maxBodyBytes;
    private final Duration horizon;
    private final Clock clock;

    /**
     * Creates it.
     *
     * @param maxBodyBytes as many bytes as both the host and the store allow
     * @param horizon how old a message may be
     * @param clock says how old one is
     */
    Validation(int maxBodyBytes, Duration horizon, Clock clock) {
        this.maxBodyBytes = maxBodyBytes;
        this.horizon = horizon;
        this.clock = clock;
    }

    /** Says no by the name of the first field that is wrong; null when the request is right. */
    @Nullable Refusal judge(@Nullable SendRequest request) {
        if (request == null) {
            return Refusal.invalid("request", "a request, was null");
        }
        String problem = Ids.problemOf(request.conversation());
        if (problem != null) {
            return Refusal.invalid("conversation", problem);
        }
        problem = Ids.problemOf(request.sender());
        if (problem != null) {
            return Refusal.invalid("sender", problem);
        }
        problem = Ids.problemOf(request.messageId());
        if (problem != null) {
            return Refusal.invalid("messageId", problem);
        }
        problem = Ids.problemOfKind(request.kind());
        if (problem != null) {
            return Refusal.invalid("kind", problem);
        }
        problem = problemOf(request.body());
        if (problem != null) {
            return Refusal.invalid("body", problem);
        }
        problem = request.fromDevice() == null ? null : Ids.problemOf(request.fromDevice());
        if (problem != null) {
            return Refusal.invalid("fromDevice", problem);
        }
        problem = request.timeout() == null ? null : SendPolicy.problemOfTimeout(request.timeout());
        return problem == null ? expiry(request.createdAt()) : Refusal.invalid("timeout", problem);
    }

    private @Nullable Refusal expiry(@Nullable Instant createdAt) {
        if (createdAt == null || !createdAt.isBefore(clock.instant().minus(horizon))) {
            return null;
        }
        return Refusal.of(
                ErrorCode.EXPIRED,
                "made at " + createdAt + ", longer ago than the " + horizon + " in which a repeat is known as one");
    }

    private @Nullable String problemOf(@Nullable Body body) {
        if (body == null) {
            return "bytes, or text that UTF-8 can express, was neither";
        }
        return body.size() <= maxBodyBytes ? null : "at most " + maxBodyBytes + " bytes, was " + body.size();
    }
}
