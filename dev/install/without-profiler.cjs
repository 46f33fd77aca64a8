// secretlint 11 spends 90 % of its time on measuring the time of its rules (secretlint issue 1633). Without the class PerformanceObserver,
// it cannot measure. Version 13 does not measure, but needs Node 22.
require('node:perf_hooks').PerformanceObserver = undefined;
