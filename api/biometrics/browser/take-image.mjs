import { CameraError, startCamera, stopCamera } from './camera.mjs';
import { button, h } from '../../pages/browser/elements.mjs';
import { drawImage } from './image.mjs';
import { announce, showScreen } from './screen.mjs';
import { texts } from './texts.mjs';

/** Shows the camera with a frame and resolves to the picture. Turns the camera off at the end. Throws CameraError. */
export async function takeImage({ kind, step, facing }) {
  const { heading, aim } = texts.captures[kind];
  const { starting, shutter, broken } = texts.camera;
  const video = h('video', { playsinline: true, autoplay: true, 'aria-hidden': 'true', class: facing });
  video.muted = true;
  const shutterButton = h('button', { type: 'button', class: 'shutter', 'aria-label': shutter, disabled: true });
  const instruction = h('p', { class: 'aim' }, starting);
  const frame = h('div', { class: 'frame', 'aria-hidden': 'true' });
  const preview = h('div', { class: `stage stage-${kind}` }, video, frame, instruction);
  let stream;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    if (stream) stopCamera(stream);
  };
  window.addEventListener('pagehide', stop);
  try {
    return await new Promise((resolve, reject) => {
      const giveUp = () => reject(new CameraError('failed'));
      showScreen(
        { name: 'camera', heading, step },
        preview,
        h('div', { class: 'shoot' }, shutterButton, button('quiet', giveUp, broken)),
      );
      shutterButton.addEventListener('click', () => {
        shutterButton.disabled = true;
        drawImage(video, video.videoWidth, video.videoHeight).then(resolve, reject);
      });
      video.addEventListener('playing', () => {
        shutterButton.disabled = false;
        instruction.textContent = aim;
        announce(aim);
      });
      startCamera(facing).then((startedStream) => {
        // The person may have stopped while the browser still asked for permission.
        if (isStopped) return stopCamera(startedStream);
        stream = startedStream;
        // A phone call or another app may start to use the camera.
        for (const track of stream.getTracks()) track.addEventListener('ended', () => reject(new CameraError('busy')));
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
