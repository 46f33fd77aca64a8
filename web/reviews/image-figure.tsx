import { Time } from '../app/dates';
import { useTexts } from '../app/use-texts';
import { Button } from '../kit/button';
import { Icon } from '../kit/icon';
import { measuresOf } from './measures';
import type { CaptureKind, Finding, Measures } from './review-types';
import { reviewTexts } from './texts';
import { appTexts } from '../app/app-texts';
import type { ShownImage } from './use-images';

interface ImageFigureProps {
  kind: CaptureKind;
  image: ShownImage;
  measures: Measures | undefined;
  findings: readonly Finding[];
  onTurn: () => void;
  onEnlarge: () => void;
  onBroken: () => void;
  onRetry: () => void;
}

function Stage({ kind, image, onEnlarge, onBroken, onRetry }: ImageFigureProps) {
  const { captures, image: texts } = useTexts(reviewTexts);
  const { tryAgain } = useTexts(appTexts);
  if (image.state === 'loading') return <p class="soft">{texts.loading}</p>;
  if (image.state === 'erased') return <p class="soft">{texts.erased}</p>;
  if (image.state === 'broken')
    return (
      <div class="broken">
        <p>{texts.broken}</p>
        <Button onClick={onRetry}>{tryAgain}</Button>
      </div>
    );
  return (
    <>
      <button type="button" class="open" aria-label={texts.enlargeOf(captures[kind].name)} onClick={onEnlarge}>
        <img src={image.url} alt="" data-turns={image.turns} onError={onBroken} />
      </button>
      <span class="badge">
        <Icon name="enlarge" />
      </span>
    </>
  );
}

/** One image of a review, with the measures and the findings of the service. */
export function ImageFigure(props: ImageFigureProps) {
  const { kind, image, measures, findings, onTurn } = props;
  const texts = useTexts(reviewTexts);
  const { name } = texts.captures[kind];
  return (
    <figure class="capture">
      <figcaption>
        <h2>{name}</h2>
        {image.state === 'shown' && (
          <Button tone="icon" aria-label={texts.image.turnOf(name)} onClick={onTurn}>
            <Icon name="turn" />
            <span>{texts.image.turn}</span>
          </Button>
        )}
      </figcaption>
      <div class="stage">
        <Stage {...props} />
      </div>
      {measures && (
        <>
          <ul class="measures">
            {measuresOf(kind, measures, findings, texts).map(({ text, isIssue }) => (
              <li key={text} class={isIssue ? 'issue' : undefined}>
                {isIssue && <Icon name="warning" />}
                {text}
              </li>
            ))}
          </ul>
          <p class="soft small">
            {texts.image.taken} <Time iso={measures.at} />
          </p>
        </>
      )}
    </figure>
  );
}
