import { appTexts } from '../../app/app-texts';
import { useTexts } from '../../app/use-texts';
import { Button } from '../../kit/button';
import { Alert } from '../../kit/content';

/** The error in place of a part of the page, if the code of this part could not be loaded. */
export function LoadFailure({ onRetry }: { onRetry: () => void }) {
  const { failures, tryAgain } = useTexts(appTexts);
  const { heading, text } = failures.unreachable;
  return (
    <Alert tone="bad">
      <p class="strong">{heading}</p>
      <p>{text}</p>
      <Button tone="small" onClick={onRetry}>
        {tryAgain}
      </Button>
    </Alert>
  );
}
