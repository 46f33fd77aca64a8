import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installCachedProgram } from './cached-program.mjs';
import { CommandError } from './command-error.mjs';
import { runWithProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';
import { findOnPath, installWithApt } from './system-programs.mjs';

const testServerVersion = '1.38.0';

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>countersign</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${testServerVersion}</version></dependency>
  </dependencies>
</project>
`;

const wrapperScript = `#!/bin/sh
# Starts the time-skipping test server. Its only argument is the port.
here=$(dirname "$0")
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$here/lib/*" io.temporal.testserver.TestServer "$@"
`;

/** Downloads the test server and its libraries with Maven, and writes a script that starts it. Returns whether this succeeded. */
async function assembleWithMaven(folder, file) {
  if (process.platform === 'win32') return false;
  const hasJavaAndMaven = () => findOnPath('java') && findOnPath('mvn');
  if (!hasJavaAndMaven()) await installWithApt('Java and Maven', ['default-jre-headless', 'maven']);
  if (!hasJavaAndMaven()) return false;
  const temporaryFolder = mkdtempSync(join(folder, 'maven-'));
  try {
    writeFileSync(join(temporaryFolder, 'pom.xml'), pom);
    const mavenArguments = [
      '-q',
      '-B',
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      '-DoutputDirectory=lib',
    ];
    const { code } = await runWithProgress('Getting the time-skipping test server with Maven (once)', () =>
      runProgram(findOnPath('mvn'), mavenArguments, { cwd: temporaryFolder }),
    );
    if (code !== 0) return false;
    rmSync(join(folder, 'lib'), { recursive: true, force: true });
    renameSync(join(temporaryFolder, 'lib'), join(folder, 'lib'));
    writeFileSync(join(temporaryFolder, 'program'), wrapperScript);
    chmodSync(join(temporaryFolder, 'program'), 0o755);
    renameSync(join(temporaryFolder, 'program'), file);
    return true;
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

/** The path of the time-skipping Temporal test server. Throws CommandError when it cannot be installed. */
export async function installTestServer() {
  const configuredPath = process.env.TEMPORAL_TEST_SERVER_PATH;
  if (configuredPath && existsSync(configuredPath)) return configuredPath;
  const cachedProgram = await installCachedProgram({
    name: 'temporal-test-server',
    label: 'the time-skipping test server',
    artifact: 'temporal-test-server',
    buildVersion: testServerVersion,
    build: assembleWithMaven,
  });
  if (cachedProgram) return cachedProgram;
  throw new CommandError(
    'The time-skipping test server is missing (download failed; no Maven with Java). Install Maven and Java, or set ' +
      'TEMPORAL_TEST_SERVER_PATH to the program, then run the tests again.',
  );
}
