/** The arrows of the house: what each room may import. Everything points inward to domain/. */
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('domain-is-pure', { path: '^domain/' }, { pathNot: '^domain/' }),
    rule('flows-are-data', { path: '^flows/' }, { pathNot: '^(flows|domain)/' }),
    rule(
      'workflows-stay-inside',
      { path: '^workflows/' },
      { pathNot: '^(workflows|domain)/|^node_modules/(@temporalio/(workflow|common)|async-mutex)/' },
    ),
    rule(
      'contract-and-ports-carry-no-workflow-code',
      { path: '^workflows/(contract|ports)\\.ts$' },
      { pathNot: '^domain/|^workflows/(contract|ports)\\.ts$|^node_modules/@temporalio/(workflow|common)/' },
    ),
    rule(
      'store-is-sql',
      { path: '^store/' },
      { path: '^(api|activities|flows|workflows|worker|dev|test|bench)/|^node_modules/(?!@types/)' },
    ),
    rule(
      'activities-know-ports',
      { path: '^activities/' },
      {
        path: '^(api|worker|flows|workflows|dev|test|bench)/|^node_modules/@temporalio/(workflow|worker|client)/',
        pathNot: '^workflows/ports\\.ts$',
      },
    ),
    rule(
      'api-speaks-contract',
      { path: '^api/' },
      {
        path: '^(activities|worker|workflows|dev|test|bench)/|^node_modules/@temporalio/(worker|activity)/',
        pathNot: '^workflows/contract\\.ts$',
      },
    ),
    // A resource of the API is readable alone: it knows what all share (http, the port to Temporal) and no other resource.
    rule(
      'http-knows-no-resource',
      { path: '^api/http/' },
      { path: '^api/', pathNot: '^api/(http/|dependencies\\.ts$)' },
    ),
    rule(
      'the-port-knows-http-only',
      { path: '^api/temporal/' },
      { path: '^api/', pathNot: '^api/(http|temporal)/|^api/dependencies\\.ts$' },
    ),
    rule(
      'resources-stand-alone',
      { path: '^api/(transactions|confirmations|analyses|biometrics|reviews|flows|providers|clients|pages)/' },
      {
        path: '^api/',
        pathNot: [
          '^api/($1|http|temporal|pages)/',
          '^api/dependencies\\.ts$',
          // Creating a transaction may start a run.
          '^api/flows/(active-flow|flow-name|runs/start-run)\\.ts$',
          // A run sends by confirmations, and answers for their codes.
          '^api/confirmations/(proposal|token-answer)\\.ts$',
          // A run makes links as callers do.
          '^api/biometrics/link-texts\\.ts$',
          // The scores of a new transaction are waited for.
          '^api/transactions/read-assessed\\.ts$',
          // Reviewers see the images of a link and the scores.
          '^api/biometrics/image-addresses\\.ts$',
          '^api/(analyses|confirmations)/responses\\.ts$',
          // The cleanup of what repeats need.
          '^api/flows/store/once-per-key\\.ts$',
        ],
      },
    ),
    rule(
      'platform-has-no-business-word',
      { path: '^platform/' },
      // What was meant by a misspelt name is no business word, and domain may import nothing.
      {
        pathNot: '^domain/closest-match\\.ts$',
        path: '^(domain|store|flows|workflows|activities|api|worker|dev|test|bench)/',
      },
    ),
    rule('worker-hosts-not-serves', { path: '^worker/' }, { path: '^(api|dev|test|bench)/' }),
    rule('nobody-imports-the-outbuildings', { pathNot: '^(dev|test|bench)/' }, { path: '^(dev|test|bench)/' }),
    rule('dev-is-not-tested-by-import-of-tests', { path: '^dev/' }, { path: '^(test|bench)/' }),
    rule(
      'messaging-vendors-have-a-home',
      { pathNot: '^(activities/messaging|api/providers|dev/inbox|test)/' },
      { path: '^node_modules/(twilio|nodemailer)/' },
    ),
    rule(
      'postgres-has-a-home',
      { pathNot: '^(platform|dev|test|bench)/' },
      { path: '^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    ),
    rule('the-queue-has-a-home', { pathNot: '^api/provider/' }, { path: '^node_modules/graphile-worker/' }),
    rule('pixels-have-a-home', { pathNot: '^(platform/images|test|bench)/' }, { path: '^node_modules/(sharp|@img)/' }),
    rule(
      's3-has-a-home',
      { pathNot: '^(platform/images/s3-store\\.ts$|node_modules/)' },
      { path: '^node_modules/(@aws-sdk|@smithy)/' },
    ),
    rule('no-cycles', {}, { circular: true }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.data)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'types'] },
  },
};
