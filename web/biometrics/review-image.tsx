import { Button } from '../kit/button';
import type { Capture } from './captures';
import { Hint } from './hint';
import type { DrawnImage } from './image';
import { texts } from './page-texts';
import { askOnScreen } from './screen';
import type { ImageIssue } from './texts/texts';

function Actions({
  issue,
  mayInsist,
  onDecide,
}: {
  issue: ImageIssue | undefined;
  mayInsist: boolean;
  onDecide: (isUsed: boolean) => void;
}) {
  const { use, again, anyway } = texts.review;
  const [useButton, againButton] = [() => onDecide(true), () => onDecide(false)];
  if (!issue)
    return (
      <>
        <Button tone="main" onClick={useButton}>
          {use}
        </Button>
        <Button onClick={againButton}>{again}</Button>
      </>
    );
  return (
    <>
      <Button tone="main" onClick={againButton}>
        {again}
      </Button>
      {mayInsist && <Button onClick={useButton}>{anyway}</Button>}
    </>
  );
}

/**
 * Shows the picture. Resolves to true if the person uses the picture, or to false if the person wants to take another picture. `issue`:
 * what is wrong with the picture. A picture with an issue can be used only if `mayInsist` is true.
 */
export function reviewImage(
  { kind, step }: Capture,
  { blob }: DrawnImage,
  issue: ImageIssue | undefined,
  mayInsist: boolean,
): Promise<boolean> {
  const { heading, ask, doubt } = texts.review;
  const url = URL.createObjectURL(blob);
  return askOnScreen<boolean>((finish) => ({
    name: 'review',
    heading: issue ? doubt : heading,
    step,
    content: (
      <>
        {issue ? <Hint>{texts.issues[issue]}</Hint> : <p class="lead">{ask}</p>}
        <img class="shot" src={url} alt={texts.captures[kind].shot} />
        <div class="actions">
          <Actions issue={issue} mayInsist={mayInsist} onDecide={finish} />
        </div>
      </>
    ),
  })).finally(() => URL.revokeObjectURL(url));
}
