package dev.tidemark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.error.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Keeps the pages true: their Java compiles, their links lead somewhere, and what they list is complete. A block of Java is
 * the inside of a method whose parameters are those of {@link #PREAMBLE}, or members of a class when it begins with a
 * modifier.
 */
class DocumentationTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

    private static final String PREAMBLE = """
            import dev.tidemark.*; import dev.tidemark.error.*; import dev.tidemark.send.*; import dev.tidemark.push.*;
            import dev.tidemark.fetch.*; import dev.tidemark.cursor.*; import dev.tidemark.listener.*;
            import dev.tidemark.concurrent.*; import dev.tidemark.storage.*; import dev.tidemark.storage.memory.*;
            import dev.tidemark.storage.append.*; import dev.tidemark.storage.jdbc.*; import dev.tidemark.storage.tck.*;
            import java.sql.*; import java.time.*; import java.util.*; import java.util.concurrent.*;
            import javax.sql.DataSource; import org.junit.jupiter.api.Nested;
            abstract class Snippet {
            """;

    private static final String PARAMETERS =
            "void snippet(DataSource dataSource, Tidemark tidemark, String conversation,"
                    + " String sender, String messageId, String text, DeviceId device, long renderedSeq, Position position,"
                    + " ConversationDirectory membership, MessageLog ourLog, Gateway gateway, Executor callbackExecutor,"
                    + " List<Draft> drafts, MessageLayout ourLayout) throws Exception {\n";

    private static final String GATEWAY =
            "interface Gateway { void send(Session session, Push push); void show(Object" + " anything); }\n";

    @TestFactory
    Stream<DynamicTest> theJavaOfThePagesCompiles() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            Matcher block = JAVA.matcher(text);
            while (block.find()) {
                long line = text.substring(0, block.start()).lines().count() + 1;
                String code = block.group(1);
                tests.add(DynamicTest.dynamicTest(
                        ROOT.relativize(page) + ", line " + line,
                        () -> assertThat(errors(code)).isEmpty()));
            }
        }
        assertThat(tests).isNotEmpty();
        return tests.stream();
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                assertThat(page.resolveSibling(link.group(1)))
                        .as("a link of %s", ROOT.relativize(page))
                        .exists();
            }
        }
    }

    @Test
    void everyErrorCodeIsExplained() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/embedding.md"));
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(page).contains("| `" + code.code() + "` |");
        }
    }

    @Test
    void everyScriptThatIsNamedIsInTheJar() throws IOException {
        Matcher script = Pattern.compile("tidemark-schema/[a-z0-9]+/V[0-9]+__[a-z_]+\\.sql")
                .matcher(Files.readString(ROOT.resolve("docs/storage-adapters.md")));
        int count = 0;
        while (script.find()) {
            assertThat(getClass().getResource("/" + script.group()))
                    .as(script.group())
                    .isNotNull();
            count++;
        }
        assertThat(count).isPositive();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            List<Path> pages =
                    new ArrayList<>(files.filter(file -> file.toString().endsWith(".md"))
                            .sorted()
                            .toList());
            pages.add(ROOT.resolve("README.md"));
            return pages;
        }
    }

    private static List<String> errors(String code) throws IOException {
        boolean isMembers = code.matches("(?s)\\s*(@|class |public |private |static |final ).*");
        String source = PREAMBLE + GATEWAY + (isMembers ? code : PARAMETERS + code + "}\n") + "}\n";
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8)) {
            JavaFileObject file =
                    new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                            return source;
                        }
                    };
            compiler.getTask(
                            null,
                            files,
                            diagnostics,
                            List.of("-proc:none", "-implicit:none", "-d", "target"),
                            null,
                            List.of(file))
                    .call();
        }
        return diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
                .toList();
    }
}
