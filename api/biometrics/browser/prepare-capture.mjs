import { button, h, icon } from './elements.mjs';
import { show } from './screen.mjs';
import { texts } from './shell.mjs';

const pictureOf = { documentFront: 'document', documentBack: 'back', selfie: 'face' };

/** A hint that is read aloud at once. */
export const hint = (text) => h('div', { class: 'hint', role: 'alert' }, icon('warning'), h('p', {}, text));

/** The system's own camera or files. Only the types that we read: iPhones turn theirs into JPEG then. */
function fileButton(look, facing, onFile) {
  const input = h('input', {
    type: 'file',
    id: 'file',
    class: 'unseen',
    accept: 'image/jpeg,image/png',
    capture: facing,
  });
  input.addEventListener('change', () => input.files[0] && onFile(input.files[0]));
  return [input, h('label', { for: 'file', class: look }, texts.camera.file)];
}

/**
 * Says what comes and how it turns out well. Resolves to 'camera', or to the file that the person chose; files are offered
 * where the camera cannot be had. `cameraFault` is why not, `fault` what was wrong with the last picture.
 */
export function prepareCapture({ kind, step, facing }, { cameraFault, fault }) {
  const { heading, lead, tips } = texts.captures[kind];
  const { open, again, faults } = texts.camera;
  return new Promise((resolve) => {
    const actions = cameraFault
      ? [
          ...fileButton('main', facing, resolve),
          cameraFault !== 'absent' && button('plain', again, () => resolve('camera')),
        ]
      : [button('main', open, () => resolve('camera'))];
    show(
      { name: 'prepare', heading, step },
      h('p', { class: 'lead' }, lead),
      fault ? hint(texts.faults[fault] ?? texts.faults.unreadable) : undefined,
      cameraFault ? h('p', { class: 'notice-line' }, faults[cameraFault]) : undefined,
      h('div', { class: `art art-${kind}` }, icon(pictureOf[kind])),
      h(
        'ul',
        { class: 'tips' },
        tips.map((tip) => h('li', {}, icon('tick'), tip)),
      ),
      h('div', { class: 'actions' }, ...actions),
    );
  });
}
