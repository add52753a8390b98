package dev.tidemark.storage.jdbc.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The server program of MySQL and MariaDB, which take the same options up to a few.
 *
 * @param program the executable
 * @param base the folder of the distribution, with {@code share} in it
 * @param options what only this one of the two understands
 */
record Mysqld(Path program, Path base, List<String> options) {

    /** Whom the tests connect as. Not root, for whom servers waive things, such as the limit of connections. */
    static final String USER = "tidemark";

    static final String PASSWORD = "tidemark";

    /** Statements that create the user; to be run while the data folder is initialised. */
    static final List<String> CREATE_USER = List.of(
            "CREATE USER '" + USER + "'@'%' IDENTIFIED BY '" + PASSWORD + "';",
            "GRANT ALL PRIVILEGES ON *.* TO '" + USER + "'@'%';");

    private static final int PORT_ATTEMPTS = 3;
    private static final Pattern MISSING_LIBRARY =
            Pattern.compile("error while loading shared libraries: (?:[^:\\s]*/)?([^:/\\s]+)");

    /** Initialises an empty data folder. */
    void initialise(Path data, Path input, String... how) throws IOException {
        Path log = data.resolveSibling("initialise.log");
        try {
            ServerProcess.run(command(data, List.of(how)), log, input);
        } catch (IOException e) {
            throw explained(e);
        }
    }

    /** Starts a server in a new folder, on a copy of the data folder given. */
    Server start(Path folder, Path initialised, String urlFormat) throws IOException {
        Path data = folder.resolve("data");
        Folders.copy(initialised, data);
        IOException last = null;
        for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) { // somebody may take the free port before the server
            int port = ServerProcess.freePort();
            Access access = new Access(urlFormat.formatted(port), USER, PASSWORD);
            ServerProcess process = ServerProcess.start(command(data, listening(port)), folder.resolve("server.log"));
            try {
                process.awaitLogin(access);
                return new MySqlFamilyServer(access, process::kill);
            } catch (IOException e) {
                last = explained(e);
            }
        }
        throw last;
    }

    private List<String> command(Path data, List<String> further) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.add("--no-defaults");
        command.add("--basedir=" + base);
        command.add("--datadir=" + data);
        command.add("--tmpdir=" + Files.createDirectories(data.resolveSibling("tmp")));
        command.add("--lc-messages-dir=" + base.resolve("share"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root");
        }
        command.addAll(further);
        return command;
    }

    private List<String> listening(int port) {
        List<String> listening = new ArrayList<>(List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=server.sock", // in the data folder; an absolute path may be longer than a socket's may be
                "--skip-name-resolve",
                "--max-connections=300"));
        listening.addAll(options);
        return listening;
    }

    private static IOException explained(IOException failure) {
        Matcher missing = MISSING_LIBRARY.matcher(failure.getMessage());
        if (!missing.find()) {
            return failure;
        }
        String library = missing.group(1);
        String remedy = library.startsWith("libaio.so")
                ? "apt-get install libaio1 (or libaio1t64, and link its libaio.so.1t64 as libaio.so.1)"
                : "install the package that contains it";
        return new IOException("the server program needs the system library " + library + ": " + remedy, failure);
    }
}
