import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../app/messages';
import { Button } from '../kit/button';
import { CameraError, startCamera, stopCamera } from './camera';
import type { Capture } from './captures';
import { drawImage, type ReadImage } from './image';
import { texts } from './page-texts';
import { askOnScreen } from './screen';

interface CameraProps extends Capture {
  onImage: (image: Promise<ReadImage>) => void;
  onError: (error: unknown) => void;
}

/** Starts the camera when the screen appears, and stops it when the screen or the page goes away. */
function useCamera({ facing, onError }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  // The cleanup of a layout effect runs before the next screen appears, so the camera is off when that screen appears.
  useLayoutEffect(() => {
    let stream: MediaStream | undefined;
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      if (stream) stopCamera(stream);
    };
    startCamera(facing).then((started) => {
      // The screen may have gone away while the browser still asked for permission.
      if (isStopped) return stopCamera(started);
      stream = started;
      // The stream ends if a phone call or another app takes the camera.
      for (const track of started.getTracks()) track.addEventListener('ended', () => onError(new CameraError('busy')));
      if (video.current) video.current.srcObject = started;
    }, onError);
    window.addEventListener('pagehide', stop);
    return () => {
      stop();
      window.removeEventListener('pagehide', stop);
    };
    // There are no dependencies, because a screen uses only one camera.
  }, []);
  return video;
}

function CameraView(props: CameraProps): ComponentChildren {
  const { kind, facing, onImage, onError } = props;
  const { starting, shutter, broken } = texts.camera;
  const { aim } = texts.captures[kind];
  const video = useCamera(props);
  const [state, setState] = useState<'starting' | 'ready' | 'taken'>('starting');
  const takePicture = () => {
    setState('taken');
    const element = video.current;
    if (element) onImage(drawImage(element, element.videoWidth, element.videoHeight));
  };
  return (
    <>
      <div class={`stage stage-${kind}`}>
        <video
          class={facing}
          ref={video}
          playsInline
          autoplay
          muted
          aria-hidden="true"
          onPlaying={() => {
            setState('ready');
            announce(aim);
          }}
        />
        <div class="frame" aria-hidden="true" />
        <p class="aim">{state === 'starting' ? starting : aim}</p>
      </div>
      <div class="shoot">
        <button type="button" class="shutter" aria-label={shutter} disabled={state !== 'ready'} onClick={takePicture} />
        <Button tone="quiet" onClick={() => onError(new CameraError('failed'))}>
          {broken}
        </Button>
      </div>
    </>
  );
}

/**
 * Shows the camera with a frame. Resolves to the picture. Rejects with CameraError if the camera cannot be used. When the next screen
 * appears, the camera is off.
 */
export const takeImage = (capture: Capture): Promise<ReadImage> =>
  askOnScreen((finish, fail) => ({
    name: 'camera',
    heading: texts.captures[capture.kind].heading,
    step: capture.step,
    content: <CameraView {...capture} onImage={finish} onError={fail} />,
  }));
