package dev.tidemark.storage.append;

import dev.tidemark.storage.AppendResult;
import dev.tidemark.storage.Receipt;

/** What became of a key, from which every draft that has the key is answered. */
sealed interface Outcome {

    /** The answer to the draft that was offered to the store. */
    AppendResult answerFirst(HashedDraft first);

    /** The answer to a later draft of the same call with the same key. */
    AppendResult answerRepeat(HashedDraft first, HashedDraft repeat);

    /** The first draft was stored just now. */
    record Stored(Receipt receipt) implements Outcome {

        @Override
        public AppendResult answerFirst(HashedDraft first) {
            return new AppendResult.Appended(receipt.seq(), receipt.storedAt());
        }

        @Override
        public AppendResult answerRepeat(HashedDraft first, HashedDraft repeat) {
            return receipt.answer(repeat.bodyHash());
        }
    }

    /** The key was stored before. */
    record Known(Receipt receipt) implements Outcome {

        @Override
        public AppendResult answerFirst(HashedDraft first) {
            return receipt.answer(first.bodyHash());
        }

        @Override
        public AppendResult answerRepeat(HashedDraft first, HashedDraft repeat) {
            return receipt.answer(repeat.bodyHash());
        }
    }

    /** The database refused the first draft for good. */
    record Refused(AppendResult.Rejected rejected) implements Outcome {

        @Override
        public AppendResult answerFirst(HashedDraft first) {
            return rejected;
        }

        @Override
        public AppendResult answerRepeat(HashedDraft first, HashedDraft repeat) {
            // Another body under the same id was not tried and may well be storable.
            return repeat.bodyHash() == first.bodyHash() ? rejected : AppendResult.Deferred.INSTANCE;
        }
    }
}
