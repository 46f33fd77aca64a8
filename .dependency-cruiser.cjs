/** A rule about imports: a file whose path matches `from` must not import a file whose path matches `to`. `comment`: the reason. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule(
      'domain-imports-nothing',
      'Domain code is pure: it imports only other domain code.',
      { path: '^domain/' },
      { pathNot: '^domain/' },
    ),
    rule(
      'flows-import-domain-only',
      'Flows are data. They import only domain code.',
      { path: '^flows/' },
      { pathNot: '^(flows|domain)/' },
    ),
    rule(
      'workflows-import-domain-only',
      'Workflow code must be deterministic. It imports only domain code, the workflow SDK and its mutex.',
      { path: '^workflows/' },
      { pathNot: '^(workflows|domain)/|^node_modules/(@temporalio/(workflow|common)|async-mutex)/' },
    ),
    rule(
      'workflow-interfaces-have-no-code',
      'The API and the activities import this folder, so it must not load workflow code.',
      { path: '^workflows/contract/' },
      { pathNot: '^domain/|^workflows/contract/|^node_modules/@temporalio/(workflow|common)/' },
    ),
    rule(
      'store-has-no-dependencies',
      'The store holds SQL and its types. It imports only code of domain, platform, messages and images, and no package.',
      { path: '^store/' },
      { path: '^(api|activities|scoring|flows|workflows|worker|dev|test|bench)/|^node_modules/(?!@types/)' },
    ),
    rule(
      'activities-use-workflow-contract',
      'Activities import nothing of the workflows except workflows/contract/activities.ts.',
      { path: '^activities/' },
      {
        path: '^(api|worker|flows|workflows|dev|test|bench)/|^node_modules/@temporalio/(workflow|worker|client)/',
        pathNot: '^workflows/contract/activities\\.ts$',
      },
    ),
    rule(
      'scoring-is-shared',
      'The API and the activities import this folder, so it imports neither.',
      { path: '^scoring/' },
      {
        path: '^(api|activities|worker|flows|workflows|images|dev|test|bench)/|^node_modules/@temporalio/',
      },
    ),
    rule(
      'api-uses-workflow-contract',
      'The API imports nothing of the workflows except workflows/contract.',
      { path: '^api/' },
      {
        path: '^(activities|worker|workflows|dev|test|bench)/|^node_modules/@temporalio/(worker|activity)/',
        pathNot: '^workflows/contract/',
      },
    ),
    rule(
      'api-http-imports-no-resource',
      'api/http serves all resources, so it imports none of them.',
      { path: '^api/http/' },
      { path: '^api/', pathNot: '^api/(http/|dependencies\\.ts$)' },
    ),
    rule(
      'api-commands-import-no-resource',
      'Creating, reading and changing a transaction through its workflow serves all resources, so it imports none of them.',
      {
        path: '^api/transactions/(transactions|records|first-assessment|read-view|send-command|proposed-ids)',
      },
      {
        path: '^api/',
        pathNot:
          '^api/(http/|dependencies\\.ts$|transactions/(transactions|records|first-assessment|read-view|send-command|proposed-ids))',
      },
    ),
    rule(
      'api-resources-are-independent',
      'A resource of the API imports the shared folders and no other resource.',
      {
        path: '^api/(transactions|confirmations|scoring|biometrics|reviews|flows|providers|clients|blocks|brand|lists|messaging|opt-outs|codec|privacy|pages|site|events|webhooks)/',
      },
      {
        path: '^api/',
        pathNot: [
          '^api/($1|http|pages)/',
          '^api/dependencies\\.ts$',
          // Every resource reads transactions and sends them commands.
          '^api/transactions/(transactions|proposed-ids|read-transaction)\\.ts$',
          // Lists and opt-outs have phones as callers of transactions write them.
          '^api/transactions/phone\\.ts$',
          // Creating a transaction may start a flow run.
          '^api/flows/(flow-body|runs/start-run)\\.ts$',
          // A flow run sends confirmations, checks codes, and creates biometrics links.
          '^api/confirmations/(send-confirmation|terms|validate-token)\\.ts$',
          '^api/biometrics/create-link\\.ts$',
          // Reviewers see the images of a link.
          '^api/biometrics/images\\.ts$',
          // Answers about transactions and reviews contain scores, the status of tokens, and flow runs.
          '^api/(scoring|confirmations|flows/runs)/responses\\.ts$',
        ],
      },
    ),
    rule(
      'api-hosted-pages-serve-persons',
      'The pages for persons import the resources that they show. No resource imports a page.',
      { path: '^api/(?!hosted/|routes\\.ts$)' },
      { path: '^api/hosted/' },
    ),
    rule(
      'client-is-alone',
      'The client is a package of its own. It imports no other code and no package: its types are generated from the OpenAPI document.',
      { path: '^client/' },
      { pathNot: '^client/' },
    ),
    rule(
      'only-tests-import-the-client',
      'The client is for callers. Pages use its types.',
      { pathNot: '^(client/|test/|web/api-types\\.ts$)' },
      { path: '^client/' },
    ),
    rule(
      'web-imports-generated-types-only',
      'Pages talk to the service over HTTP. Of our code, they import only the types of the client, and of the props that the API gives them.',
      { path: '^web/' },
      {
        path: '^(domain|flows|store|workflows|activities|api|worker|messages|scoring|images|platform|dev|test|bench)/',
        pathNot: '^api/pages/rendered-pages\\.ts$',
      },
    ),
    rule(
      'web-pages-are-independent',
      'A page imports the shared folders and no other page, so that one page can change alone.',
      { path: '^web/(?!app/|browser/|kit/|person/|server/|site/)([^/]+)/' },
      { path: '^web/', pathNot: '^web/($1|app|kit|person)/|^web/api-types\\.ts$' },
    ),
    rule(
      'web-app-imports-the-kit-only',
      'The code that pages share imports no page.',
      { path: '^web/(app|person)/' },
      { path: '^web/', pathNot: '^web/($1|app|kit)/|^web/api-types\\.ts$' },
    ),
    rule(
      'web-app-code-is-small',
      'Browsers load only Preact for these pages. Only the editor of flows needs more packages.',
      { path: '^web/(?!browser/|flows/|kit/|server/|site/)[^/]+/' },
      { path: '^node_modules/(?!preact/)' },
    ),
    rule(
      'web-flows-loads-its-editor-on-demand',
      'Preact is enough to show flows. The packages to edit and compare flows are loaded only when a reader edits or compares.',
      { path: '^web/flows/' },
      { path: '^node_modules/(?!preact/)', pathNot: '^node_modules/(@codemirror|@lezer|diff)/' },
    ),
    rule(
      'web-kit-imports-preact-only',
      'All pages use these components, so the components import no page.',
      { path: '^web/kit/' },
      { pathNot: '^web/kit/|^node_modules/preact/' },
    ),
    rule(
      'web-browser-code-is-small',
      'Browsers load only Preact and MiniSearch. All other packages run while the pages are built.',
      { path: '^web/browser/' },
      { path: '^node_modules/(?!preact/|minisearch/)|^web/site/(?!search-index\\.ts$|style/)' },
    ),
    rule(
      'only-web-uses-its-packages',
      'The service reads the built pages, so it needs none of these packages.',
      { pathNot: '^(web|dev/install/(build-web|serve-pages)\\.mjs|test)' },
      {
        path: '^node_modules/(preact|vite|markdown-it|highlight\\.js|beautiful-mermaid|minisearch|@codemirror|@lezer|diff/)',
      },
    ),
    rule(
      'platform-imports-no-business-code',
      'The platform holds technical code. From domain it may import only its text functions.',
      { path: '^platform/' },
      {
        pathNot: '^domain/text\\.ts$',
        path: '^(domain|messages|images|store|flows|workflows|activities|api|worker|dev|test|bench)/',
      },
    ),
    rule(
      'messages-and-images-import-platform-only',
      'The API, the worker and the store use these two folders. They import platform and domain code, and nothing of each other.',
      { path: '^(messages|images)/' },
      { path: '^(store|flows|workflows|activities|api|worker|messages|images|dev|test|bench)/', pathNot: '^$1/' },
    ),
    rule(
      'worker-does-not-import-api',
      'The worker and the API are separate processes.',
      { path: '^worker/' },
      { path: '^(api|dev|test|bench)/' },
    ),
    rule(
      'production-does-not-import-dev',
      'Production code imports no tools, tests or benchmarks.',
      { pathNot: '^(dev|test|bench)/' },
      { path: '^(dev|test|bench)/' },
    ),
    rule(
      'dev-does-not-import-tests',
      'Tools do not import tests or benchmarks. Three starters in dev/ load them at run time: bench.mjs, chaos.mjs and fuzz.mjs.',
      { path: '^dev/' },
      { path: '^(test|bench)/' },
    ),
    rule(
      'messaging-packages-in-one-place',
      'Only these folders use the messaging packages.',
      { pathNot: '^(activities/providers|api/providers|dev/inbox|bench/peers/programs|test)/' },
      { path: '^node_modules/(twilio|nodemailer)/' },
    ),
    rule(
      'postgres-in-one-place',
      'Only the platform, the tools, the tests and the benchmarks use the Postgres driver. Other code may import its types.',
      { pathNot: '^(platform|dev|test|bench)/' },
      { path: '^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'image-processing-in-one-place',
      'Only images/ and the build of the pages decode images. The build shrinks the images of the guides.',
      { pathNot: '^(images/|web/site/markdown/images\\.ts$|test/|bench/)' },
      { path: '^node_modules/(sharp|@img)/' },
    ),
    rule(
      's3-in-one-place',
      'Only one file uses the AWS SDK.',
      { pathNot: '^(images/s3-store\\.ts$|node_modules/)' },
      { path: '^node_modules/(@aws-sdk|@smithy)/' },
    ),
    rule('no-circular-imports', 'Circular imports break the load order.', {}, { circular: true }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.data)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'types'] },
  },
};
