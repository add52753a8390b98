package dev.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.error.InvalidInputException;
import org.junit.jupiter.api.Test;

class BodyTest {

    @Test
    void textComesBackAsItWas() {
        for (String text : new String[] {"", "plain", "naïve 日本 \uD83D\uDE00"}) {
            assertThat(Body.of(text).toText()).isEqualTo(text);
        }
    }

    @Test
    void textThatUtf8CannotExpressIsRefused() {
        for (String text : new String[] {"\uD83D", "\uDE00x", "x\uDE00\uD83D"}) {
            assertThatThrownBy(() -> Body.of(text))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("text: expected no unpaired surrogate");
        }
    }
}
