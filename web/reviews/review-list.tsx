import { useEffect, useRef, useState } from 'preact/hooks';
import { Time, useTimeSince } from '../app/dates';
import { currentLanguage } from '../app/language';
import { announce } from '../app/messages';
import { useStore } from '../app/store';
import { useTexts } from '../app/use-texts';
import { View } from '../app/view';
import { Button } from '../kit/button';
import { Icon } from '../kit/icon';
import { LinkRow, LinkRows } from '../kit/link-rows';
import { hashOfReview } from './addresses';
import { FindingTags } from './finding-tags';
import { countOf, loadMoreReviews, queue, refreshQueue } from './queue';
import type { WaitingReview } from './review-types';
import { reviewTexts } from './texts';
import { useLiveQueue } from './use-live-queue';

/** Returns a function that names a language, such as "Spanish" for `es`. */
function useLanguageName(): (code: string) => string {
  const names = new Intl.DisplayNames(useStore(currentLanguage), { type: 'language', languageDisplay: 'standard' });
  return (code) => {
    try {
      return names.of(code) ?? code;
    } catch {
      return code;
    }
  };
}

function Row({ review }: { review: WaitingReview }) {
  const { id, transactionId, submittedAt, identifierDate, language, findings } = review;
  const { list } = useTexts(reviewTexts);
  const timeSince = useTimeSince();
  const languageName = useLanguageName();
  return (
    <LinkRow href={hashOfReview(id)}>
      <span class="strong">{list.waitingFor(timeSince(submittedAt))}</span>
      <span class="soft">
        {list.submitted} <Time iso={submittedAt} />
      </span>
      <span class="mono">
        <bdi>{transactionId}</bdi>
      </span>
      <span class="soft">
        {list.identifierDate} <Time iso={identifierDate} /> · {languageName(language)}
      </span>
      <FindingTags findings={findings} />
    </LinkRow>
  );
}

/** The reviews that wait for a decision. `onError` gets an error if the button to refresh or to load more fails. */
export function ReviewList({ onError }: { onError: (error: unknown) => void }) {
  const { list, tabs } = useTexts(reviewTexts);
  const current = useStore(queue);
  const { reviews, next } = current;
  const [busy, setBusy] = useState<'refresh' | 'more'>();
  const [focusRow, setFocusRow] = useState<number>();
  const rows = useRef<HTMLDivElement>(null);
  useLiveQueue(busy !== undefined);
  useEffect(() => {
    if (focusRow !== undefined) rows.current?.querySelectorAll('a')[focusRow]?.focus();
  }, [focusRow]);
  const countText = (shown = queue.get()) =>
    list.count(countOf(shown), shown.reviews.length === 1 && shown.next === undefined);
  const run = async (name: 'refresh' | 'more', work: () => Promise<void>) => {
    if (busy) return;
    setBusy(name);
    await work().catch(onError);
    setBusy(undefined);
  };
  const refresh = () =>
    run('refresh', async () => {
      await refreshQueue();
      announce(queue.get().reviews.length === 0 ? list.none : countText());
    });
  const loadMore = () =>
    run('more', async () => {
      const shown = queue.get().reviews.length;
      announce(list.moreLoaded(await loadMoreReviews()));
      setFocusRow(shown);
    });
  const isEmpty = reviews.length === 0;
  return (
    <View heading={isEmpty ? list.none : list.heading} tab={tabs.list} isCentered={isEmpty}>
      <div class="line" key="line">
        <p class="soft">{isEmpty ? list.noneHint : `${countText(current)}, ${list.order}.`}</p>
        <Button isBusy={busy === 'refresh'} onClick={() => void refresh()}>
          <Icon name="refresh" />
          {list.refresh}
        </Button>
      </div>
      {!isEmpty && (
        <div class="queue" ref={rows}>
          <LinkRows>
            {reviews.map((review) => (
              <Row key={review.id} review={review} />
            ))}
          </LinkRows>
        </div>
      )}
      {next !== undefined && (
        <Button isBusy={busy === 'more'} onClick={() => void loadMore()}>
          {list.more}
        </Button>
      )}
    </View>
  );
}
