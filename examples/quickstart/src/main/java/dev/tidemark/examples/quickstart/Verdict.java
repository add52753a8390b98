package dev.tidemark.examples.quickstart;

import dev.tidemark.storage.StoredMessage;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether every device has rendered what was said: all of it, once, in order. It looks at the screens and the transcript,
 * and at nothing that Tidemark counts.
 *
 * @param lost lines that a device never rendered
 * @param duplicated renderings of a line that the device had rendered before
 * @param outOfOrder lines rendered after one that was said later
 */
record Verdict(int lost, int duplicated, int outOfOrder) {

    static Verdict of(Transcript transcript, Collection<List<StoredMessage>> screens) {
        Verdict all = new Verdict(0, 0, 0);
        for (List<StoredMessage> screen : screens) {
            for (String conversation : transcript.conversations()) {
                Verdict one = of(transcript.of(conversation), conversation, screen);
                all = new Verdict(
                        all.lost + one.lost, all.duplicated + one.duplicated, all.outOfOrder + one.outOfOrder);
            }
        }
        return all;
    }

    private static Verdict of(List<Line> said, String conversation, List<StoredMessage> screen) {
        Map<Line, Integer> places = new HashMap<>();
        said.forEach(line -> places.put(line, places.size()));
        Set<Line> rendered = new HashSet<>();
        int duplicated = 0;
        int outOfOrder = 0;
        int last = -1;
        for (StoredMessage message : screen) {
            if (message.conversation().equals(conversation)) {
                Line line = new Line(
                        conversation,
                        message.sender(),
                        message.messageId(),
                        message.body().toText());
                int place = places.getOrDefault(line, -1);
                if (!rendered.add(line)) {
                    duplicated++;
                } else if (place < last) {
                    outOfOrder++;
                }
                last = Math.max(last, place);
            }
        }
        rendered.retainAll(places.keySet());
        return new Verdict(said.size() - rendered.size(), duplicated, outOfOrder);
    }

    boolean isClean() {
        return lost == 0 && duplicated == 0 && outOfOrder == 0;
    }
}
