import express from 'express';
import { ownProviderId, ownProviderPrefix } from '../../domain/providers/route';
import { readReport } from '../../messages/gateways/read-answer';
import { readGatewayReportToken } from '../../messages/links';
import { isForm, isUtf8Json, runBodyParser } from '../http/body/read-json';
import { Problem } from '../http/problem';
import { type RawHandler, undocumentedRoute, type UndocumentedRoute } from '../http/route';
import { removeUnstorable } from './twilio';

/** A report is about one message, and has some 20 short fields. */
const bodyLimit = 65_536;
const parseJson = express.json({ limit: bodyLimit });
const parseForm = express.urlencoded({ extended: false, limit: bodyLimit, parameterLimit: 200 });

/**
 * POST /webhooks/gateways/{token}: a gateway reports the status of a message. The token names the message. So of a report about several
 * messages, all statuses are of this one.
 */
export const receiveGatewayReport: RawHandler<'keys' | 'ownProvidersOf' | 'providerEvents' | 'providers'> = async (
  { keys, ownProvidersOf, providerEvents, providers },
  request,
  response,
) => {
  const target = readGatewayReportToken(keys, String(request.params['token']));
  if (!target) throw new Problem('invalid_signature');
  const { tenant } = target;
  const settings =
    tenant === undefined
      ? providers[target.provider]
      : (await ownProvidersOf(tenant))[target.provider.slice(ownProviderPrefix.length)];
  if (settings?.kind !== 'gateway') throw new Problem('invalid_signature');
  if (!isForm(request) && !isUtf8Json(request)) throw new Problem('unsupported_media_type');
  const body = await runBodyParser(isForm(request) ? parseForm : parseJson, request, response);
  const { report } = settings.gateway;
  for (const { id, status, code } of report ? readReport(report, body) : [])
    await providerEvents.takeStatus({
      kind: 'status',
      sendId: target.sendId,
      providerId: tenant === undefined ? removeUnstorable(id) : ownProviderId(tenant, removeUnstorable(id)),
      status,
      ...(code === undefined ? {} : { code }),
    });
  response.status(204).end();
};

/** Requests of gateways. Their address has a signature instead of an access token. */
export const gatewayRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('post', '/webhooks/gateways/{token}', receiveGatewayReport, 'rejected'),
];
