import { stopServers } from './shared-servers';

/** Runs once after the last suite, also when suites failed. */
export default stopServers;
