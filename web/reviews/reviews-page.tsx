import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, callApi } from '../app/call-api';
import { Failure } from '../app/failure';
import { announceInNextView } from '../app/messages';
import { useHash } from '../app/use-hash';
import { useLoaded } from '../app/use-loaded';
import { textsNow, useTexts } from '../app/use-texts';
import { hashOfReview, listHash, reviewIdIn } from './addresses';
import { queue, refreshQueue, removeReview } from './queue';
import { ReviewList } from './review-list';
import type { DecisionStatus, Review } from './review-types';
import { ReviewView } from './review-view';
import { reviewTexts } from './texts';

const openReviewId = () => reviewIdIn(location.hash);

/** Whether an error is a problem of the API with this code. */
const isProblem = (error: unknown, code: string) => error instanceof ApiProblem && error.code === code;

/** The page of the reviewers. The address says which view it shows. */
export function ReviewsPage() {
  const texts = useTexts(reviewTexts);
  const id = reviewIdIn(useHash());
  const [failure, setFailure] = useState<{ error: unknown }>();
  /**
   * A part of the `key` of the list. With a new number, Preact builds the list as a new view, and only a new view shows the text of
   * `announceInNextView`.
   */
  const [round, setRound] = useState(0);

  useEffect(() => setFailure(undefined), [id]);
  const showAgain = () => {
    setFailure(undefined);
    setRound((current) => current + 1);
  };
  const navigateTo = (nextId: string | undefined) => {
    const hash = nextId === undefined ? listHash : hashOfReview(nextId);
    if (location.hash === hash) showAgain();
    else location.replace(hash);
  };
  /** Shows the list with a text, for example after another reviewer has decided first. `left`: the id of the review that was open. */
  const backToList = async (left: string, text: string) => {
    await removeReview(left);
    await refreshQueue().catch(() => undefined);
    announceInNextView(text);
    if (openReviewId() === left || openReviewId() === undefined) navigateTo(undefined);
  };
  const onError = async (error: unknown, left: string) => {
    if (isProblem(error, 'not_in_review')) await backToList(left, textsNow(reviewTexts).review.taken);
    else if (isProblem(error, 'review_not_found')) await backToList(left, textsNow(reviewTexts).review.gone);
    else setFailure({ error });
  };
  /** If the reviewer opened another view while the decision was sent, that view stays. */
  const onDecided = async (decidedId: string, status: DecisionStatus) => {
    const { decision, review } = textsNow(reviewTexts);
    const nextId = await removeReview(decidedId);
    const isStillOpen = openReviewId() === decidedId;
    const { done } = decision.choices[status];
    announceInNextView(isStillOpen && nextId !== undefined ? `${done} ${review.next}` : done);
    if (isStillOpen) navigateTo(nextId);
    else if (openReviewId() === undefined) showAgain();
  };

  const { key, value, error, reload } = useLoaded(id ?? '', async (signal): Promise<Review | undefined> => {
    if (!queue.get().isLoaded) await refreshQueue(signal);
    if (id === undefined) return undefined;
    try {
      return await callApi('get', '/v1/reviews/{reviewId}', { path: { reviewId: id }, signal });
    } catch (problem) {
      if (!isProblem(problem, 'review_not_found')) throw problem;
      await onError(problem, id);
      // The address has changed, so the page loads another view. This promise never resolves, so nothing is shown for the earlier address.
      return new Promise(() => {});
    }
  });

  const shownFailure = failure ? failure.error : error;
  if (shownFailure !== undefined)
    return (
      <Failure
        error={shownFailure}
        tab={texts.tabs.list}
        scopeHint={texts.scopeHint}
        onRetry={() => {
          setFailure(undefined);
          reload();
        }}
        back={
          id !== undefined && (
            <a class="back" href={listHash}>
              {texts.review.all}
            </a>
          )
        }
      />
    );
  if (key === undefined) return null;
  if (!value) return <ReviewList key={`list ${round}`} onError={(problem) => setFailure({ error: problem })} />;
  return (
    <ReviewView
      key={value.id}
      review={value}
      onDecided={(status) => onDecided(value.id, status)}
      onError={(problem) => onError(problem, value.id)}
    />
  );
}
