import { NoCamera, startCamera, stopCamera } from './camera.mjs';
import { button, h } from '../../pages/browser/elements.mjs';
import { drawImage } from './image.mjs';
import { announce, show } from './screen.mjs';
import { texts } from './texts.mjs';

/** Shows the camera with a frame and resolves to the picture. Turns the camera off at the end. Throws NoCamera. */
export async function takeImage({ kind, step, facing }) {
  const { heading, aim } = texts.captures[kind];
  const { starting, shutter, broken } = texts.camera;
  const video = h('video', { playsinline: true, autoplay: true, 'aria-hidden': 'true', class: facing });
  video.muted = true;
  const press = h('button', { type: 'button', class: 'shutter', 'aria-label': shutter, disabled: true });
  const line = h('p', { class: 'aim' }, starting);
  const frame = h('div', { class: 'frame', 'aria-hidden': 'true' });
  const stage = h('div', { class: `stage stage-${kind}` }, video, frame, line);
  let stream;
  let over = false;
  const stop = () => {
    over = true;
    if (stream) stopCamera(stream);
  };
  window.addEventListener('pagehide', stop);
  try {
    return await new Promise((resolve, reject) => {
      const giveUp = () => reject(new NoCamera('failed'));
      show(
        { name: 'camera', heading, step },
        stage,
        h('div', { class: 'shoot' }, press, button('quiet', giveUp, broken)),
      );
      press.addEventListener('click', () => {
        press.disabled = true;
        drawImage(video, video.videoWidth, video.videoHeight).then(resolve, reject);
      });
      video.addEventListener('playing', () => {
        press.disabled = false;
        line.textContent = aim;
        announce(aim);
      });
      startCamera(facing).then((started) => {
        // The person may have given up while the browser was still asking.
        if (over) return stopCamera(started);
        stream = started;
        // A call or another app may take the camera.
        for (const track of stream.getTracks()) track.addEventListener('ended', () => reject(new NoCamera('busy')));
        video.srcObject = stream;
        return undefined;
      }, reject);
    });
  } finally {
    stop();
    window.removeEventListener('pagehide', stop);
    video.srcObject = null;
  }
}
