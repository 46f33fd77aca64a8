import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const chunk = Buffer.alloc(1024 * 1024);

/**
 * A small disk in memory that a fault can fill. The command runs in a mount namespace of its own (dev/chaos-cluster.mjs), so the disk
 * disappears with its last process.
 */
export class SmallDisk {
  readonly #ballast: string;

  private constructor(readonly folder: string) {
    this.#ballast = join(folder, 'ballast');
  }

  static mount(folder: string, megabytes: number): SmallDisk {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'countersign-chaos', folder]);
    return new SmallDisk(folder);
  }

  /** Leaves no free byte. */
  fill(): void {
    const file = openSync(this.#ballast, 'w');
    try {
      for (let part = chunk; ; ) {
        try {
          writeSync(file, part);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          if (part.length === 1) return;
          part = part.subarray(0, Math.ceil(part.length / 16));
        }
      }
    } finally {
      closeSync(file);
    }
  }

  clear(): void {
    rmSync(this.#ballast, { force: true });
  }
}
