/** The lines of each icon, in a square of 24 units. */
const paths = {
  document:
    'M3 6h18v12H3zM9 11.500a1.800 1.800 0 1 0-3.600 0 1.800 1.800 0 0 0 3.600 0M5 15.500c.8-1.600 3.600-1.600 4.400 0M13 10h5M13 14h5',
  back: 'M3 6h18v12H3zM3 10h18M6 14h7',
  face: 'M12 4c4 0 6 3 6 7s-2.500 9-6 9-6-5-6-9 2-7 6-7zM9.500 11v.5M14.500 11v.5M9.800 15c1.200 1.100 3.200 1.100 4.400 0',
  check: 'M12 3l7 2.600v5.800c0 4.600-3 7.800-7 9.200-4-1.400-7-4.600-7-9.200V5.600zM9 12l2.200 2.200L15.200 10',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  tick: 'M5 13l4 4 10-11',
  warning: 'M12 4l9 16H3zM12 10v5M12 17.500v.5',
} as const;

export type IconName = keyof typeof paths;

/** A line icon of this page, in the color of the text. Screen readers ignore it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
