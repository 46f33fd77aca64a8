import express, { type Request, type RequestHandler, type Router } from 'express';
import type { ContentTemplate } from '../content';
import { listContents, readContentRequest, toContentResource } from './content-resource';
import { listCalls } from './call-resource';
import { createCall, createMessage } from './create-message';
import { listMessages } from './message-list';
import { toMessageResource } from './message-resource';
import { apiVersion } from './status-fields';
import { decideOnTemplate, toApprovalResource } from './template-approval';
import type { TwilioDependencies } from './twilio-dependencies';
import { answerTwilioProblem, notFound, TwilioProblem } from './twilio-problem';

/** Simulates the part of the REST API of Twilio that the service uses. Like Twilio, it does not detect repeated requests. */
export function twilioRouter(dependencies: TwilioDependencies): Router {
  const { store, accountSid, authToken } = dependencies;
  const router = express.Router({ caseSensitive: true });
  router.use(authenticate(accountSid, authToken), express.urlencoded({ extended: false }), express.json());

  const messagesPath = `/${apiVersion}/Accounts/${accountSid}/Messages`;
  router.post(`${messagesPath}.json`, createMessage(dependencies));
  router.get(`${messagesPath}.json`, (request, response) => {
    response.json(listMessages(store.newestFirst(), request.query, accountSid));
  });
  router.get(`${messagesPath}/:sid.json`, (request, response) => {
    const message = store.find(request.params.sid);
    if (!message || message.channel === 'email' || message.channel === 'voice') throw notFound(request.path);
    response.json(toMessageResource(message, accountSid));
  });

  const callsPath = `/${apiVersion}/Accounts/${accountSid}/Calls.json`;
  router.post(callsPath, createCall(dependencies));
  router.get(callsPath, (request, response) => {
    response.json(listCalls(store.newestFirst(), request.query, accountSid));
  });

  router.post('/v1/Content', (request, response) => {
    const content = readContentRequest(request.body);
    store.addTemplate(content);
    response.status(201).json(toContentResource(content, accountSid, originOf(request)));
  });
  router.get('/v1/Content', (request, response) => {
    const origin = originOf(request);
    const toResource = (content: ContentTemplate) => toContentResource(content, accountSid, origin);
    response.json(listContents(store.templates(), request.query, `${origin}/v1/Content`, toResource));
  });
  router.get('/v1/ContentAndApprovals', (request, response) => {
    const origin = originOf(request);
    const toResource = (content: ContentTemplate) => ({
      ...toContentResource(content, accountSid, origin),
      approval_requests: toApprovalResource(content),
    });
    response.json(listContents(store.templates(), request.query, `${origin}/v1/ContentAndApprovals`, toResource));
  });
  router.get('/v1/Content/:sid', (request, response) => {
    const content = store.findTemplate(request.params.sid);
    if (!content) throw notFound(request.path);
    response.json(toContentResource(content, accountSid, originOf(request)));
  });

  router.post('/v1/Content/:sid/ApprovalRequests/whatsapp', (request, response) => {
    const content = store.findTemplate(request.params.sid);
    if (!content) throw notFound(request.path);
    const isRejected = dependencies.failureInjector.take('template') !== undefined;
    const approval = decideOnTemplate(content, request.body, { others: store.templates(), isRejected });
    const decided = { ...content, approval };
    store.addTemplate(decided);
    // Twilio decides later, so its answer never has a decision.
    response.status(201).json({ ...toApprovalResource(decided), status: 'received', rejection_reason: '' });
  });

  router.use((request) => {
    throw notFound(request.path);
  });
  router.use(answerTwilioProblem);
  return router;
}

const originOf = (request: Request): string => `${request.protocol}://${request.get('host') ?? 'localhost'}`;

/** Requires the id and token of the account, as Twilio does. */
function authenticate(accountSid: string, authToken: string): RequestHandler {
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return (request, _response, next) => {
    if (request.get('authorization') !== expected) throw new TwilioProblem(401, 20003, 'Authenticate');
    next();
  };
}
