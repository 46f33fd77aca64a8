/** Files and connections that a process needs for itself: connections to Postgres and Temporal, images, and logs. */
const ownFiles = 256;

/** How many connections the operating system lets this process accept. Infinity if there is no limit, or it is not known. */

export function acceptableConnections(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const files = Number(userLimits?.open_files?.soft);
  return Number.isFinite(files) ? Math.max(1, files - Math.min(ownFiles, files / 2)) : Infinity;
}
