import type { BiometricsTexts } from './texts';

export const en: BiometricsTexts = {
  title: 'Identity check',
  loading: 'One moment…',
  noScript: 'This page needs JavaScript to use the camera. Please turn it on, or open the link in another browser.',
  progress: 'Step {{step}} of {{steps}}',
  consent: {
    heading: 'Confirm that it is you',
    lead: '{{brand}} asks you for three pictures. It takes about two minutes. Please have your identity document ready.',
    points: {
      what: {
        heading: 'What you send',
        text: 'The front and the back of your document, and one picture of your face.',
      },
      why: {
        heading: 'Why',
        text: 'Only to check that the document is yours, and that you take part in this check yourself.',
      },
      kept: {
        heading: 'How long we keep it',
        text: 'We keep the pictures encrypted for {{days}} days. Then we delete them.',
      },
      seen: {
        heading: 'Who sees it',
        text: 'Only the people at {{brand}} who do this check. Every access is recorded.',
      },
    },
    seenByVerifier: {
      heading: 'Who sees it',
      text: 'A program that compares faces on behalf of {{brand}}, and the people at {{brand}} who do this check. Every access is recorded.',
    },
    agree: 'I agree that {{brand}} takes these pictures and compares my face with my document.',
    button: 'Agree and continue',
    missing: 'Please tick the box first. We take no picture without your consent.',
    otherwise: 'If you do not agree, close this page. Nothing was sent.',
  },
  where: {
    noCamera: {
      heading: 'Continue on your phone',
      text: 'This device has no camera that we can use. It is easiest with a phone.',
    },
    inApp: {
      heading: 'Open this page in your browser',
      text: 'This page is open inside another app, where the camera often does not work. Open the menu of the app and choose “Open in browser”. Or copy the link and paste it into your browser.',
    },
    scan: 'Point the camera of your phone at this code and open the link.',
    qr: 'QR code with the address of this page',
    files: 'Continue here with files',
    here: 'Continue here anyway',
    copy: 'Copy the link',
    copied: 'Link copied',
    moved: {
      heading: 'Continue on the other device',
      text: 'The link is now open on another device. You can close this page.',
    },
  },
  captures: {
    documentFront: {
      heading: 'Front of your document',
      lead: 'The side with your picture: identity card, driving licence or another document with a photo.',
      tips: [
        'Take it out of its cover',
        'Lay it on a dark, plain surface',
        'Turn the flash off: it causes reflections',
      ],
      aim: 'Fit the front into the frame',
      shot: 'Your picture of the front of the document',
    },
    documentBack: {
      heading: 'Back of your document',
      lead: 'Now turn the document over.',
      tips: ['Show all four corners', 'Make sure that you can read every line'],
      aim: 'Fit the back into the frame',
      shot: 'Your picture of the back of the document',
    },
    selfie: {
      heading: 'A picture of your face',
      lead: 'Look straight into the camera.',
      tips: ['No sunglasses, hat or mask', 'Light in front of you, not behind you', 'Nobody else in the picture'],
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
    issues: {
      absent: 'We found no camera here. You can choose a picture instead.',
      denied:
        'The browser does not allow the camera. Allow it in the settings of this page, or choose a picture instead.',
      busy: 'Another app is using the camera. Close it and try again, or choose a picture instead.',
      failed: 'The camera did not start. Try again, or choose a picture instead.',
    },
  },
  review: {
    heading: 'Is the picture good?',
    ask: 'Is everything sharp, bright and inside the picture?',
    use: 'Use it',
    again: 'Take it again',
    doubt: 'Please take a better picture',
    anyway: 'Send it anyway',
  },
  issues: {
    unreadable: 'This file cannot be read. Take the picture again, or choose another one.',
    too_large: 'This picture is too large. Choose a picture of less than 30 megabytes.',
    not_an_image: 'We cannot read this file as a picture. Choose a JPEG or a PNG.',
    too_small: 'The picture is too small to read. Move closer, or choose a picture of better quality.',
    too_dark: 'The picture is too dark. Move to a brighter place, or turn on a lamp.',
    too_bright: 'The picture is too bright. Avoid direct light, and turn the flash off.',
    blurred: 'The picture is blurred. Clean the lens, hold still, and wait until the picture is sharp.',
  },
  sending: {
    heading: 'Sending your picture',
    text: 'Please keep this page open.',
    percent: '{{percent}}% sent',
    finishing: 'Finishing…',
    kept: 'Picture received',
  },
  waiting: {
    offline: 'You are offline. We continue automatically when the connection is back.',
    busy: 'Many people are sending pictures. We try again in {{seconds}} seconds.',
    back: 'The connection is back.',
  },
  done: {
    heading: 'All done, thank you',
    text: 'Your pictures have arrived safely. {{brand}} will check them. You can close this page.',
  },
  doneWithMessage: {
    heading: 'All done, thank you',
    text: 'Your pictures have arrived safely, and {{brand}} will check them. You will get a message when the check is finished. You can close this page.',
  },
  decided: {
    heading: 'Your check is finished',
    text: '{{brand}} has checked your pictures. You can close this page.',
  },
  trouble: {
    heading: 'Something went wrong',
    text: 'Everything that you sent is saved. Try again to continue where you stopped.',
    button: 'Try again',
  },
  back: {
    link: 'Back to {{host}}',
    soon: 'You will return to {{host}} in {{seconds}} seconds.',
    stay: 'Stay on this page',
  },
  outside: 'Open the page in a new tab',
  closed: {
    expired: { heading: 'This link has expired', text: 'Ask {{brand}} for a new link.' },
    canceled: {
      heading: 'There is a newer link',
      text: 'Only the newest link works. Open the last link that you received.',
    },
    ended: { heading: 'This check has ended', text: 'You do not need to do anything. You can close this page.' },
    erased: {
      heading: 'This check was stopped',
      text: 'Your pictures are deleted. If {{brand}} still needs them, you will get a new link.',
    },
    used: { heading: 'This link was already used', text: 'The pictures were already sent. You can close this page.' },
    unknown: { heading: 'Unknown link', text: 'This link does not work any more, or is not complete.' },
    taken: {
      heading: 'The link is open on another device',
      text: 'To protect you, a link works only in the browser in which it was started. Continue in that browser. If somebody else started it, tell {{brand}}.',
    },
    cookies: {
      heading: 'Cookies are blocked',
      text: 'Allow cookies for this page, or open it in another browser. We need one cookie to protect your pictures.',
    },
    unavailable: {
      heading: 'Please try again in a moment',
      text: 'We cannot open this page right now. The link still works.',
    },
  },
};
