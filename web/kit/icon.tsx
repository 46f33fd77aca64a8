/** The lines of each icon, in a square of 24 units. */
const paths = {
  approve: 'M5 13l4 4 10-11',
  reject: 'M6 6l12 12M18 6L6 18',
  inconclusive: 'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.5',
  warning: 'M12 4l9 16H3zM12 10v5M12 17.500v.5',
  refresh: 'M20 12a8 8 0 1 1-2.400-5.700M20 4v4.500h-4.500',
  turn: 'M4 12a8 8 0 1 0 2.400-5.700M4 4v4.500h4.500',
  enlarge: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  zoomIn: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15.500 15.500L20 20M11 8.500v5M8.500 11h5',
  zoomOut: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15.500 15.500L20 20M8.500 11h5',
  back: 'M15 5l-7 7 7 7',
  search: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L20 20',
  next: 'M9 5l7 7-7 7',
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  send: 'M5 12h13M12 5l7 7-7 7',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  reply: 'M9 7l-5 5 5 5M4 12h10a6 6 0 0 1 6 6',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  ticks: 'M1 13l4 4 10-11M9 16l1 1 11-11',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
} as const;

export type IconName = keyof typeof paths;

/** A line icon in the color of the text. Screen readers ignore it, so its meaning must also be in a text. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
