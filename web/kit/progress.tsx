/** A circle while something is loading. `label`: the text next to the circle, which screen readers announce. */
export const Spinner = ({ label }: { label: string }) => (
  <p class="spinner" role="status">
    <span class="spinner-circle" aria-hidden="true" />
    {label}
  </p>
);

/** A bar. `value`: how much is done, from 0 to 1. `label`: the name of the bar for screen readers. */
export const ProgressBar = ({ label, value }: { label: string; value: number }) => (
  <progress class="progress" aria-label={label} max={1} value={value} />
);
