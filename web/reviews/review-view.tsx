import { useState } from 'preact/hooks';
import { Time, useTimeSince } from '../app/dates';
import { announce } from '../app/messages';
import { useStore } from '../app/store';
import { useTexts } from '../app/use-texts';
import { View } from '../app/view';
import { Icon } from '../kit/icon';
import { listHash } from './addresses';
import { DecisionForm } from './decision-form';
import { EnlargedImage } from './enlarged-image';
import { FindingTags } from './finding-tags';
import { ImageFigure } from './image-figure';
import { countOf, queue } from './queue';
import { type CaptureKind, captureKinds, type DecisionStatus, type Review } from './review-types';
import { reviewTexts } from './texts';
import { TransactionFacts } from './transaction-facts';
import { useImages } from './use-images';

interface ReviewViewProps {
  review: Review;
  onDecided: (status: DecisionStatus) => Promise<void>;
  onError: (error: unknown) => Promise<void>;
}

/** One review: its images side by side, what the service knows, and the decision. */
export function ReviewView({ review, onDecided, onError }: ReviewViewProps) {
  const { id, transactionId, submittedAt, status, captures, findings, decision } = review;
  const texts = useTexts(reviewTexts);
  const timeSince = useTimeSince();
  const { images, turn, markBroken, retry } = useImages(review);
  const [enlarged, setEnlarged] = useState<CaptureKind>();
  const isOpen = status === 'Processing';
  const turnAndAnnounce = (kind: CaptureKind) =>
    announce(texts.image.turned(texts.captures[kind].name, turn(kind) * 90));
  return (
    <View
      heading={
        <>
          {texts.review.heading}{' '}
          <span class="mono">
            <bdi>{transactionId}</bdi>
          </span>
        </>
      }
      tab={texts.tabs.review}
    >
      <div class="line">
        <p class="soft">
          {isOpen ? texts.review.waitingSince(timeSince(submittedAt)) : texts.list.submitted} <Time iso={submittedAt} />
        </p>
        <a class="back" href={listHash}>
          <Icon name="back" />
          {texts.review.allWithCount(countOf(useStore(queue)))}
        </a>
      </div>
      <FindingTags findings={findings} />
      <div class="captures">
        {captureKinds.map((kind) => (
          <ImageFigure
            key={kind}
            kind={kind}
            image={images[kind]}
            measures={captures[kind]}
            findings={findings}
            onTurn={() => turnAndAnnounce(kind)}
            onEnlarge={() => setEnlarged(kind)}
            onBroken={() => markBroken(kind)}
            onRetry={() => retry(kind)}
          />
        ))}
      </div>
      <div class="below">
        <TransactionFacts review={review} />
        {isOpen ? (
          <DecisionForm reviewId={id} onDecided={onDecided} onError={onError} />
        ) : (
          <p class="card">
            <span>
              {texts.review.decided(status)} {decision && <bdi>{decision.reason}</bdi>}
            </span>
          </p>
        )}
      </div>
      {enlarged && (
        <EnlargedImage first={enlarged} images={images} onTurn={turn} onClose={() => setEnlarged(undefined)} />
      )}
    </View>
  );
}
