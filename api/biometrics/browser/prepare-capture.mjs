import { button, h } from '../../pages/browser/elements.mjs';
import { icon } from './icons.mjs';
import { showScreen } from './screen.mjs';
import { texts } from './texts.mjs';

const iconNames = { documentFront: 'document', documentBack: 'back', selfie: 'face' };

/** Creates a hint that screen readers read at once. */
export const hint = (text) => h('div', { class: 'hint', role: 'alert' }, icon('warning'), h('p', {}, text));

/** Creates a button for the camera app or the files. Accepts only JPEG and PNG, so that iPhones convert pictures to JPEG. */
function fileButton(style, facing, onFile) {
  const input = h('input', {
    type: 'file',
    id: 'file',
    class: 'unseen',
    accept: 'image/jpeg,image/png',
    capture: facing,
  });
  input.addEventListener('change', () => input.files[0] && onFile(input.files[0]));
  return [input, h('label', { for: 'file', class: style }, texts.camera.file)];
}

/**
 * Shows what to capture, with tips. Resolves to 'camera' or to a file. Offers files if the camera cannot be used.
 * `cameraIssue`: why the camera cannot be used. `issue`: the issue of the last picture.
 */
export function prepareCapture({ kind, step, facing }, { cameraIssue, issue }) {
  const { heading, lead, tips } = texts.captures[kind];
  const { open, again, issues } = texts.camera;
  return new Promise((resolve) => {
    const actions = cameraIssue
      ? [
          ...fileButton('main', facing, resolve),
          cameraIssue !== 'absent' && button('plain', () => resolve('camera'), again),
        ]
      : [button('main', () => resolve('camera'), open)];
    showScreen(
      { name: 'prepare', heading, step },
      h('p', { class: 'lead' }, lead),
      issue ? hint(texts.issues[issue] ?? texts.issues.unreadable) : undefined,
      cameraIssue ? h('p', { class: 'notice-line' }, issues[cameraIssue]) : undefined,
      h('div', { class: `art art-${kind}` }, icon(iconNames[kind])),
      h(
        'ul',
        { class: 'tips' },
        tips.map((tip) => h('li', {}, icon('tick'), tip)),
      ),
      h('div', { class: 'actions' }, ...actions),
    );
  });
}
