package dev.tidemark.storage.tck;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Generates a {@link CapabilityTest} once, or not at all. */
final class CapabilityTests implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        CapabilityTest test = AnnotationSupport.findAnnotation(context.getElement(), CapabilityTest.class)
                .orElseThrow();
        MessageStoreRung contract = (MessageStoreRung) context.getRequiredTestInstance();
        return Arrays.stream(test.value()).anyMatch(contract.missing()::contains)
                ? Stream.empty()
                : Stream.of(new Once(context.getDisplayName()));
    }

    /** Names the one invocation as the method is named. */
    private record Once(String displayName) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocationIndex) {
            return displayName;
        }
    }
}
