import type { BiometricsTexts } from './biometrics-texts';

export const english: BiometricsTexts = {
  title: 'Identity check',
  loading: 'One moment…',
  noScript: 'This page needs JavaScript to use the camera. Please switch it on, or open the link in another browser.',
  progress: 'Step {{step}} of {{steps}}',
  consent: {
    heading: 'Let us check that it is you',
    lead: '{{brand}} asks you for three pictures. It takes about two minutes. Have your identity document at hand.',
    points: {
      what: {
        heading: 'What is taken',
        text: 'The front and the back of your document, and one picture of your face.',
      },
      why: { heading: 'What for', text: 'Only to check that the document is yours and that it is you who is here.' },
      kept: { heading: 'How long it is kept', text: 'Encrypted, for {{days}} days. Then the pictures are deleted.' },
      seen: { heading: 'Who sees it', text: 'Only the people at {{brand}} who do this check. Every look is recorded.' },
    },
    seenByVerifier: {
      heading: 'Who sees it',
      text: 'A program that compares faces on behalf of {{brand}}, and the people at {{brand}} who do this check. Every look is recorded.',
    },
    agree: 'I agree that {{brand}} takes these pictures and compares my face with my document.',
    button: 'Agree and go on',
    missing: 'Please tick the box first. Without your consent no picture is taken.',
    otherwise: 'If you do not agree, just close this page. Nothing has been taken.',
  },
  where: {
    noCamera: {
      heading: 'Go on with your phone',
      text: 'This device has no camera that we can use. A phone is the easiest way.',
    },
    inApp: {
      heading: 'Open this page in your browser',
      text: 'You are inside another app, where the camera often does not work. Open its menu and choose “Open in browser”, or copy the link and paste it there.',
    },
    scan: 'Point the camera of your phone at this code and open the link.',
    qr: 'QR code with the address of this page',
    files: 'Go on here with files',
    here: 'Go on here all the same',
    copy: 'Copy the link',
    copied: 'Link copied',
    moved: { heading: 'Going on elsewhere', text: 'The link is open on another device now. You can close this page.' },
  },
  captures: {
    documentFront: {
      heading: 'Front of your document',
      lead: 'The side with your picture: identity card, driving licence or another document with a photo.',
      tips: ['Take it out of its cover', 'Lay it on a dark, plain surface', 'No flash: light must not reflect'],
      aim: 'Fit the front into the frame',
      shot: 'Your picture of the front of the document',
    },
    documentBack: {
      heading: 'Back of your document',
      lead: 'Now turn the document over.',
      tips: ['All four corners in the picture', 'Every line sharp enough to read'],
      aim: 'Fit the back into the frame',
      shot: 'Your picture of the back of the document',
    },
    selfie: {
      heading: 'A picture of your face',
      lead: 'Look straight into the camera.',
      tips: ['No sunglasses, hat or mask', 'Light from the front, not from behind', 'Nobody else in the picture'],
      aim: 'Fit your face into the oval',
      shot: 'Your picture of your face',
    },
  },
  camera: {
    open: 'Open the camera',
    starting: 'Starting the camera. If your browser asks, allow it.',
    shutter: 'Take the picture',
    broken: 'The camera does not work',
    again: 'Try the camera again',
    file: 'Choose a picture',
    faults: {
      absent: 'We found no camera here. You can choose a picture instead.',
      refused:
        'The browser does not let us use the camera. Allow it in the settings of this page, or choose a picture instead.',
      busy: 'Another app is using the camera. Close it and try again, or choose a picture instead.',
      failed: 'The camera did not start. Try again, or choose a picture instead.',
    },
  },
  review: {
    heading: 'Is it good?',
    ask: 'Everything sharp, bright and inside the picture?',
    use: 'Use it',
    again: 'Take it again',
    doubt: 'Better take another one',
    anyway: 'Send it all the same',
  },
  faults: {
    unreadable: 'This file cannot be read. Take the picture again, or choose another one.',
    too_large: 'This picture is too large. Choose one of less than 30 megabytes.',
    not_an_image: 'This is not a picture that we can read. Choose a JPEG or a PNG.',
    too_small: 'The picture is too small to read. Go closer, or choose one of better quality.',
    too_dark: 'It is too dark. Go where there is more light, or switch a lamp on.',
    too_bright: 'It is too bright. Keep away from direct light and switch the flash off.',
    blurred: 'It is blurred. Hold still, wipe the lens, and wait until the picture is sharp.',
  },
  sending: {
    heading: 'Sending your picture',
    text: 'Please keep this page open.',
    percent: '{{percent}}% sent',
    finishing: 'Finishing…',
    kept: 'Picture received',
  },
  waiting: {
    offline: 'The connection is broken. We go on by ourselves as soon as it is back.',
    busy: 'It is busy here just now. We try again in {{seconds}} seconds.',
    back: 'We are connected again.',
  },
  done: {
    heading: 'All done, thank you',
    text: 'Your pictures have arrived safely. {{brand}} will check them. You can close this page.',
  },
  doneWithMessage: {
    heading: 'All done, thank you',
    text: 'Your pictures have arrived safely. {{brand}} will check them, and you will get a message when the check is finished. You can close this page.',
  },
  decided: {
    heading: 'Your check is finished',
    text: '{{brand}} has looked at your pictures. You can close this page.',
  },
  trouble: {
    heading: 'Something went wrong',
    text: 'Nothing that you have sent is lost. Try again, and you go on where you were.',
    button: 'Try again',
  },
  closed: {
    expired: { heading: 'The time is up', text: 'This link is no longer open. Ask {{brand}} for a new one.' },
    canceled: { heading: 'There is a newer link', text: 'Only the last link that you got counts. Open that one.' },
    ended: { heading: 'This check was ended', text: 'Nothing more is needed of you here. You can close this page.' },
    erased: {
      heading: 'This check was stopped',
      text: 'Pictures that were taken are deleted. If {{brand}} still needs them, you will get a new link.',
    },
    used: { heading: 'This link has been used', text: 'The pictures have been sent already. You can close this page.' },
    unknown: { heading: 'Unknown link', text: 'Open the link exactly as it is in the message that you got.' },
    taken: {
      heading: 'Open on another device',
      text: 'To protect you, a link works only in the browser that opened it first. Go on there. If that was not you, tell {{brand}}.',
    },
    cookies: {
      heading: 'Cookies are blocked',
      text: 'Allow cookies for this page, or open it in another browser. One cookie keeps your pictures apart from those of others.',
    },
    unavailable: {
      heading: 'Please try again in a moment',
      text: 'We cannot open this just now. The link is still good.',
    },
  },
};
