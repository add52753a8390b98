package dev.tidemark.storage.jdbc.servers;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where the servers of this JVM keep their files, in the temporary folder of the system.
 *
 * <ul>
 *   <li>{@code <root>/<version>}: unpacked programs and a freshly initialised data folder to copy from. They stay, for
 *       the next run.
 *   <li>{@code <root>/run-<random>}: data of this JVM. It is deleted at its end, after the servers were stopped.
 * </ul>
 *
 * A JVM that is killed can delete nothing. Every run folder therefore has a lock file that its JVM keeps locked for
 * life: a folder whose lock is free belongs to nobody, and the next JVM to come removes it with the servers left over
 * in it.
 */
final class Workspace {

    private static final String RUN = "run-";
    private static final String LOCK = ".lock";

    private final Path root;
    private final Path run;
    private final FileLock lock;
    private final Deque<Server> servers = new ArrayDeque<>();

    private Workspace(Path root) throws IOException {
        this.root = Files.createDirectories(root);
        try (FileChannel alone = FileChannel.open(root.resolve("lock"), CREATE, WRITE)) {
            alone.lock(); // else another JVM could take the new folder for an abandoned one
            this.run = Files.createTempDirectory(root, RUN);
            this.lock = tryLock(lockOf(run));
            Runtime.getRuntime().addShutdownHook(new Thread(this::close, "tidemark-test-servers-stop"));
            removeAbandoned();
        }
    }

    /** The one of this JVM. */
    static Workspace ofThisJvm() {
        return OfThisJvm.INSTANCE;
    }

    /** A new empty folder that is gone when the JVM ends. */
    Path newFolder(String purpose) throws IOException {
        return Files.createTempDirectory(run, purpose + "-");
    }

    /** Has the server stopped before the folders are deleted. */
    void stopAtExit(Server server) {
        synchronized (servers) {
            servers.push(server);
        }
    }

    /**
     * A folder that is filled once and kept for later runs. It is filled under another name and then renamed, so that
     * whoever sees it sees all of it, however many processes come at once or die half-way.
     */
    Path keep(String version, Filling filling) throws IOException {
        Path kept = root.resolve(version);
        if (Files.isDirectory(kept)) {
            return kept;
        }
        Path filled = newFolder(version);
        filling.fill(filled);
        try {
            return Files.move(filled, kept, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (Files.isDirectory(kept)) { // another process was faster
                Folders.delete(filled);
                return kept;
            }
            throw e;
        }
    }

    /** Puts into an empty folder what is to be kept. */
    @FunctionalInterface
    interface Filling {
        void fill(Path folder) throws IOException;
    }

    private void removeAbandoned() throws IOException {
        try (DirectoryStream<Path> runs = Files.newDirectoryStream(root, RUN + "*" + LOCK)) {
            for (Path lockFile : runs) {
                if (lockFile.equals(lockOf(run))) {
                    continue;
                }
                FileLock free = tryLock(lockFile);
                if (free != null) {
                    String name = lockFile.getFileName().toString();
                    Path abandoned = root.resolve(name.substring(0, name.length() - LOCK.length()));
                    ServerProcess.killAllIn(abandoned);
                    Folders.delete(abandoned);
                    Files.deleteIfExists(lockFile);
                    free.channel().close();
                }
            }
        }
    }

    private void close() {
        try {
            stopServers();
        } finally {
            ServerProcess.killAllIn(run); // those that were just starting, or did not end when told to
            deleteRun();
        }
    }

    private void stopServers() {
        synchronized (servers) {
            RuntimeException failure = null;
            for (Server server : servers) {
                try {
                    server.stop();
                } catch (RuntimeException e) { // the others have to be stopped all the same
                    failure = e;
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }

    private void deleteRun() {
        try {
            Folders.delete(run);
            Files.deleteIfExists(lockOf(run));
            lock.channel().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path lockOf(Path run) {
        return run.resolveSibling(run.getFileName() + LOCK);
    }

    /** The lock, or null if somebody has it. It ends with the process that holds it, however that ends. */
    private static FileLock tryLock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, CREATE, WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) { // these classes, loaded a second time in this JVM
            lock = null;
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        return lock;
    }

    private static final class OfThisJvm {
        static final Workspace INSTANCE = open();

        private static Workspace open() {
            String user = System.getProperty("user.name"); // another user's files could not be replaced, nor trusted
            try {
                return new Workspace(Path.of(System.getProperty("java.io.tmpdir"), "tidemark-test-servers-" + user));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
