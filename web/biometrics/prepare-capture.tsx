import type { ComponentChildren } from 'preact';
import { Button } from '../kit/button';
import type { Capture, CaptureKind } from './captures';
import { Hint } from './hint';
import { Icon, type IconName } from './icon';
import { texts } from './page-texts';
import { askOnScreen } from './screen';
import type { CameraIssue, ImageIssue } from './texts/texts';

const iconNames: Record<CaptureKind, IconName> = { documentFront: 'document', documentBack: 'back', selfie: 'face' };

/** A button that opens the camera app or the files. It accepts only JPEG and PNG, so that iPhones convert other formats to JPEG. */
const FileButton = ({ facing, onFile }: Pick<Capture, 'facing'> & { onFile: (file: File) => void }) => (
  <>
    <input
      type="file"
      id="file"
      class="unseen"
      accept="image/jpeg,image/png"
      capture={facing}
      onChange={({ currentTarget: { files } }) => files?.[0] && onFile(files[0])}
    />
    <label for="file" class="button button-main">
      {texts.camera.file}
    </label>
  </>
);

/** What the screen says about earlier tries. */
interface Situation {
  /** Why the camera cannot be used. */
  cameraIssue: CameraIssue | undefined;
  /** The issue of the last image. */
  issue: ImageIssue | undefined;
}

function Actions({
  facing,
  cameraIssue,
  onChoose,
}: Pick<Capture, 'facing'> & Pick<Situation, 'cameraIssue'> & { onChoose: (source: 'camera' | File) => void }) {
  const { open, again } = texts.camera;
  if (!cameraIssue)
    return (
      <Button tone="main" onClick={() => onChoose('camera')}>
        {open}
      </Button>
    );
  return (
    <>
      <FileButton facing={facing} onFile={onChoose} />
      {cameraIssue !== 'absent' && <Button onClick={() => onChoose('camera')}>{again}</Button>}
    </>
  );
}

/**
 * Shows what the next picture must show, with tips. Resolves to 'camera' if the person opens the camera, or to the chosen file. Offers
 * files only if the camera cannot be used.
 */
export function prepareCapture(
  { kind, step, facing }: Capture,
  { cameraIssue, issue }: Situation,
): Promise<'camera' | File> {
  const { heading, lead, tips } = texts.captures[kind];
  const content = (finish: (source: 'camera' | File) => void): ComponentChildren => (
    <>
      <p class="lead">{lead}</p>
      {issue && <Hint>{texts.issues[issue] ?? texts.issues.unreadable}</Hint>}
      {cameraIssue && <p class="alert">{texts.camera.issues[cameraIssue]}</p>}
      <div class="art">
        <Icon name={iconNames[kind]} />
      </div>
      <ul class="tips">
        {tips.map((tip) => (
          <li>
            <Icon name="tick" />
            {tip}
          </li>
        ))}
      </ul>
      <div class="actions">
        <Actions facing={facing} cameraIssue={cameraIssue} onChoose={finish} />
      </div>
    </>
  );
  return askOnScreen((finish) => ({ name: 'prepare', heading, step, content: content(finish) }));
}
