import type { FrameEvent, FrameSettings } from '../api-types';
import { reportHeight, tellParent } from '../person/parent-window';

// The script of a hosted page that another site may show in a frame. The page also works without this script.
const { frame, event } = JSON.parse(document.body.dataset['settings'] ?? '{}') as {
  frame?: FrameSettings;
  event?: FrameEvent;
};
if (event) tellParent(frame, event);
reportHeight(frame);
