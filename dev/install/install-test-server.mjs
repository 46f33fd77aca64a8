import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installCachedProgram } from './cached-program.mjs';
import { CommandError } from './command-error.mjs';
import { showProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';
import { findOnPath, installWithApt } from './system-programs.mjs';

const javaVersion = '1.38.0';

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>countersign</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${javaVersion}</version></dependency>
  </dependencies>
</project>
`;

const wrapper = `#!/bin/sh
# The time-skipping test server, as a program: its only argument is the port.
here=$(dirname "$0")
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$here/lib/*" io.temporal.testserver.TestServer "$@"
`;

async function assembleWithMaven(folder, file) {
  if (process.platform === 'win32') return false;
  const haveJava = () => findOnPath('java') && findOnPath('mvn');
  if (!haveJava()) await installWithApt('Java and Maven', ['default-jre-headless', 'maven']);
  if (!haveJava()) return false;
  const partial = mkdtempSync(join(folder, 'maven-'));
  try {
    writeFileSync(join(partial, 'pom.xml'), pom);
    const goal = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'];
    const { code } = await showProgress('Getting the time-skipping test server with Maven (once)', () =>
      runProgram(findOnPath('mvn'), goal, { cwd: partial }),
    );
    if (code !== 0) return false;
    rmSync(join(folder, 'lib'), { recursive: true, force: true });
    renameSync(join(partial, 'lib'), join(folder, 'lib'));
    writeFileSync(join(partial, 'program'), wrapper);
    chmodSync(join(partial, 'program'), 0o755);
    renameSync(join(partial, 'program'), file);
    return true;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** The path of the time-skipping Temporal test server. Throws CommandError when it cannot be installed. */
export async function installTestServer() {
  const given = process.env.TEMPORAL_TEST_SERVER ?? process.env.TEMPORAL_TEST_SERVER_PATH;
  if (given && existsSync(given)) return given;
  const found = await installCachedProgram({
    name: 'temporal-test-server',
    label: 'the time-skipping test server',
    artifact: 'temporal-test-server',
    buildVersion: javaVersion,
    build: assembleWithMaven,
  });
  if (found) return found;
  throw new CommandError(
    'The time-skipping test server is missing (download failed; no Maven with Java). Install Maven and Java, or set ' +
      'TEMPORAL_TEST_SERVER to the program, then run the tests again.',
  );
}
