// secretlint 11 measures the time of each rule for each file, which takes 90 % of its own time (secretlint issue 1633). It cannot do this
// without this class. Version 13 no longer measures, but needs Node 22.
require('node:perf_hooks').PerformanceObserver = undefined;
