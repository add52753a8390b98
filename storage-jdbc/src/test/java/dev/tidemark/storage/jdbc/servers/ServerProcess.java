package dev.tidemark.storage.jdbc.servers;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A program of a server, run as a child process with its output in a file instead of on the console. */
final class ServerProcess {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration END_LIMIT = Duration.ofSeconds(20);
    private static final Duration PROBE_INTERVAL = Duration.ofMillis(25);
    private static final int LOG_TAIL = 4_000;

    private final String program;
    private final Process process;
    private final Path log;

    private ServerProcess(String program, Process process, Path log) {
        this.program = program;
        this.process = process;
        this.log = log;
    }

    /** A port of the loopback interface that nobody listens on right now. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Starts a program that is to stay. */
    static ServerProcess start(List<String> command, Path log) throws IOException {
        return start(command, log, new File("/dev/null"));
    }

    /** Runs a program to its end and fails, with what it said, unless that is a good one. */
    static void run(List<String> command, Path log, Path input) throws IOException {
        ServerProcess run = start(command, log, input.toFile());
        run.await(START_LIMIT);
        boolean ended = !run.process.isAlive();
        run.kill();
        if (!ended || run.process.exitValue() != 0) {
            throw run.failure(null);
        }
    }

    private static ServerProcess start(List<String> command, Path log, File input) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectInput(input)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new ServerProcess(command.get(0), process, log);
    }

    /** Waits until somebody can log in, and fails with the server's log if it ends before that or takes too long. */
    void awaitLogin(Access access) throws IOException {
        SQLException refused = null;
        long start = System.nanoTime();
        while (process.isAlive() && System.nanoTime() - start < START_LIMIT.toNanos()) {
            try (Connection connection = access.connect()) {
                if (connection.isValid(1)) {
                    return;
                }
            } catch (SQLException e) {
                refused = e;
            }
            await(PROBE_INTERVAL);
        }
        kill();
        throw failure(refused);
    }

    /** Ends the process without mercy: its data are about to be deleted, a clean end would only take time. */
    void kill() {
        process.destroyForcibly();
        await(END_LIMIT);
    }

    /** Kills the programs that were told to work below this folder, and sees them end. */
    static void killAllIn(Path folder) {
        Predicate<String> worksThere = command -> command.contains(folder + File.separator);
        CompletableFuture<?>[] ends = ProcessHandle.allProcesses()
                .filter(process ->
                        process.info().commandLine().filter(worksThere).isPresent())
                .filter(ProcessHandle::destroyForcibly)
                .map(ProcessHandle::onExit)
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ends)
                .completeOnTimeout(null, END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** The end of a log: what a failure is explained by. */
    static String tail(Path log) throws IOException {
        String text = Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
        return text.substring(Math.max(0, text.length() - LOG_TAIL));
    }

    private IOException failure(SQLException refused) throws IOException {
        return new IOException(program + " failed; its last words:\n" + tail(log), refused);
    }

    private void await(Duration limit) {
        try {
            process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
