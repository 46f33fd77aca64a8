/** Something is loading. `label`: what screen readers say, and what is shown next to the circle. */
export const Spinner = ({ label }: { label: string }) => (
  <p class="spinner" role="status">
    <span class="spinner-circle" aria-hidden="true" />
    {label}
  </p>
);

/** How much is done, from 0 to 1. `label`: its name for screen readers. */
export const ProgressBar = ({ label, value }: { label: string; value: number }) => (
  <progress class="progress" aria-label={label} max={1} value={value} />
);
