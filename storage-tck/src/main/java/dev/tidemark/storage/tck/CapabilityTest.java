package dev.tidemark.storage.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that is generated where the fixture has the capability and not at all where that is declared missing. */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(CapabilityTests.class)
@interface CapabilityTest {

    /** What the fixture has to be able to do. */
    Capability[] value();
}
