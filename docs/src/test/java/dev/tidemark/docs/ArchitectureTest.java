package dev.tidemark.docs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the code to the arrows of the architecture page. */
class ArchitectureTest {

    /** Module to what it may require, besides the platform's java.base. */
    private static final Map<String, Set<String>> ARROWS = Map.of(
            "dev.tidemark.storage", Set.of("org.jspecify"),
            "dev.tidemark.core", Set.of("dev.tidemark.storage", "org.slf4j", "org.jspecify"),
            "dev.tidemark.ratelimit",
                    Set.of(
                            "dev.tidemark.core",
                            "com.github.benmanes.caffeine",
                            "io.github.bucket4j.core",
                            "org.jspecify"),
            "dev.tidemark.storage.jdbc", Set.of("dev.tidemark.storage", "java.sql", "org.jspecify"),
            "dev.tidemark.storage.tck",
                    Set.of(
                            "dev.tidemark.storage",
                            "org.junit.jupiter.api",
                            "org.junit.jupiter.params",
                            "org.assertj.core",
                            "org.jspecify"));

    private static final Map<String, ModuleReference> MODULES = modules();

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.tidemark");

    private static Map<String, ModuleReference> modules() {
        Path[] classPath = Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1))
                .filter(entry -> entry.contains("tidemark") || entry.endsWith("classes"))
                .map(Path::of)
                .toArray(Path[]::new);
        Map<String, ModuleReference> modules = new HashMap<>();
        for (ModuleReference module : ModuleFinder.of(classPath).findAll()) {
            if (ARROWS.containsKey(module.descriptor().name())) {
                modules.put(module.descriptor().name(), module);
            }
        }
        return modules;
    }

    @Test
    void everyModuleIsThere() {
        assertThat(MODULES.keySet()).isEqualTo(ARROWS.keySet());
    }

    @Test
    void aModuleRequiresOnlyWhatItsArrowsAllow() {
        MODULES.forEach((name, module) -> assertThat(module.descriptor().requires().stream()
                        .map(ModuleDescriptor.Requires::name)
                        .filter(required -> !required.equals("java.base")))
                .as(name)
                .isSubsetOf(ARROWS.get(name)));
    }

    @Test
    void aPackageLivesInOneModule() {
        Map<String, String> owners = new HashMap<>();
        MODULES.forEach((name, module) -> module.descriptor()
                .packages()
                .forEach(packageName -> assertThat(owners.put(packageName, name))
                        .as("another module with %s, which is in %s", packageName, name)
                        .isNull()));
    }

    @Test
    void whatIsInternalIsNotExported() {
        MODULES.forEach((name, module) -> assertThat(module.descriptor().exports().stream()
                        .map(ModuleDescriptor.Exports::source)
                        .filter(source -> Arrays.asList(source.split("\\.", -1)).contains("internal")))
                .as(name)
                .isEmpty());
    }

    @Test
    void everyPublicPackageIsExported() {
        MODULES.forEach((name, module) -> {
            Set<String> exported = module.descriptor().exports().stream()
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toSet());
            assertThat(module.descriptor().packages().stream()
                            .filter(packageName -> packageName.startsWith("dev.tidemark"))
                            .filter(packageName -> !packageName.contains(".internal")))
                    .as(name)
                    .isSubsetOf(exported);
        });
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.tidemark.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void coreKnowsNoDatabaseNoJsonAndNoClockOfItsOwn() {
        noClasses()
                .that()
                // A builder names the system's clock as the default of the one that it takes.
                .haveSimpleNameNotEndingWith("Builder")
                .and()
                .resideInAnyPackage(
                        "dev.tidemark",
                        "dev.tidemark.send..",
                        "dev.tidemark.push..",
                        "dev.tidemark.inbox..",
                        "dev.tidemark.fetch..",
                        "dev.tidemark.cursor..",
                        "dev.tidemark.concurrent..",
                        "dev.tidemark.listener..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "com.fasterxml..", "dev.tidemark.storage.jdbc..")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .check(CLASSES);
    }

    @Test
    void storesKnowNothingOfTheServices() {
        noClasses()
                .that()
                .resideInAPackage("dev.tidemark.storage..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.tidemark",
                        "dev.tidemark.send..",
                        "dev.tidemark.push..",
                        "dev.tidemark.inbox..",
                        "dev.tidemark.fetch..",
                        "dev.tidemark.cursor..",
                        "dev.tidemark.concurrent..",
                        "dev.tidemark.listener..")
                .check(CLASSES);
    }
}
