package dev.tidemark.push;

/** Sorts of deliveries, which differ in how often a push is tried when the device does not acknowledge it. */
public enum Delivery {
    /** From person to person. */
    C2C,
    /** To a group. */
    C2G,
    /** A notice of the system's. */
    S2C,
    /** A client's request that the server answers. */
    C2S
}
