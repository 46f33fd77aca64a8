/** Paths of 18 by 18 pixels that say at a glance what a step does. */
export const symbols: Readonly<Record<string, string>> = {
  sms: 'M5.5 1.5h7a1.5 1.5 0 0 1 1.5 1.5v12a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 4 15V3a1.5 1.5 0 0 1 1.5-1.5zM8 13.8h2',
  email: 'M2 4h14v10.5H2zM2.5 4.6 9 10l6.5-5.4',
  whatsapp: 'M2.2 15.8l1-3.4A7 7 0 1 1 6 15zM6.4 7.6h5.2M6.4 10.4h3.2',
  biometrics: 'M2 5.5h3l1.3-2h5.4l1.3 2h3v9H2zM9 12.8a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8z',
  decide: 'M9 1.8 16.2 9 9 16.2 1.8 9zM9 5.8v3.6M9 12v.2',
  wait: 'M9 16.2a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.4zM9 5v4.2l2.8 1.8',
  notify: 'M3.5 13.2c1.4-1.3 1.4-2.6 1.4-4.9a4.1 4.1 0 0 1 8.2 0c0 2.3 0 3.6 1.4 4.9zM7.6 15.6a1.6 1.6 0 0 0 2.8 0',
  missing: 'M9 2l7.2 13H1.8zM9 7v3.8M9 12.8v.2',
};
