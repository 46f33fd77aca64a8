import { stopServers } from './shared-servers';

/** Runs once after the last suite, even if suites failed. */
export default stopServers;
