package dev.tidemark.storage.jdbc.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How one database is reached.
 *
 * @param url the JDBC URL, {@code jdbc:<driver>://<hosts>/<database>[?<parameters>]} for a server
 * @param user the user, empty where the URL names it or none is needed
 * @param password the password, empty for none
 */
record Access(String url, String user, String password) {

    private static final Pattern SERVER_URL = Pattern.compile("(jdbc:[a-z:]+//[^/?]*)(?:/[^?]*)?(\\?.*)?");

    Connection connect() throws SQLException {
        Properties properties = new Properties();
        if (!user.isEmpty()) {
            properties.setProperty("user", user);
            properties.setProperty("password", password);
        }
        return DriverManager.getConnection(url, properties);
    }

    /** The same server, hosts, parameters and user, but another of its databases. */
    Access withDatabase(String database) {
        Matcher matcher = SERVER_URL.matcher(url);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not of the form jdbc:<driver>://<hosts>/<database>: " + url);
        }
        String parameters = matcher.group(2) == null ? "" : matcher.group(2);
        return new Access(matcher.group(1) + "/" + database + parameters, user, password);
    }

    @Override
    public String toString() {
        return url;
    }
}
