/** A report as real mail systems send it. `original`: the Message-ID of the mail that it is about. */
export interface ReportFields {
  original: string;
  recipient?: string;
  status?: string;
  action?: string;
}

/** The lines of a mail, with the line ends of SMTP. */
const mailOf = (lines: string): Buffer => Buffer.from(lines.trimStart().replaceAll('\n', '\r\n'));

/** Reports about a mail to a mailbox, as mail systems write them. */
export const bounces = {
  postfix: ({ original, recipient = 'anna@example.com', status = '5.1.1', action = 'failed' }: ReportFields) =>
    mailOf(`
Return-Path: <>
From: MAILER-DAEMON@mail.example.org (Mail Delivery System)
To: no-reply@countersign.local
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4Q1xYz0abc.1764547200/mail.example.org"
Content-Transfer-Encoding: 8bit

This is a MIME-encapsulated message.

--4Q1xYz0abc.1764547200/mail.example.org
Content-Description: Notification
Content-Type: text/plain; charset=utf-8

I'm sorry to have to inform you that your message could not be delivered.

--4Q1xYz0abc.1764547200/mail.example.org
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org
X-Postfix-Queue-ID: 4Q1xYz0abc
X-Postfix-Sender: rfc822; no-reply@countersign.local
Arrival-Date: Mon,  1 Dec 2025 00:00:00 +0000 (UTC)

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; 550 ${status} <${recipient}>: Recipient address rejected: User
    unknown in virtual mailbox table

--4Q1xYz0abc.1764547200/mail.example.org
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers
Content-Transfer-Encoding: 8bit

From: Countersign <no-reply@countersign.local>
To: ${recipient}
Message-ID: ${original}
Subject: Your code

--4Q1xYz0abc.1764547200/mail.example.org--
`),
  /** Exim says 5.0.0, and has the reply of the other server in the diagnostic code. */
  exim: ({ original, recipient = 'anna@example.com' }: ReportFields) =>
    mailOf(`
From: Mail Delivery System <Mailer-Daemon@exim.example.org>
To: no-reply@countersign.local
References: ${original}
Content-Type: multipart/report; report-type=delivery-status; boundary=1764547200-eximdsn-1
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender

--1764547200-eximdsn-1
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

--1764547200-eximdsn-1
Content-type: message/delivery-status

Reporting-MTA: dns; exim.example.org

Action: failed
Final-Recipient: rfc822;${recipient}
Status: 5.0.0
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; 550-5.1.1 [192.0.2.5] The email account that you tried to reach does
 not exist.

--1764547200-eximdsn-1
Content-type: message/rfc822

Return-path: <no-reply@countersign.local>
From: Countersign <no-reply@countersign.local>
Message-ID: ${original}
Subject: Your code

The text of the mail.

--1764547200-eximdsn-1--
`),
  /** Exchange folds the Message-ID, and encodes its report. */
  exchange: ({ original, recipient = 'anna@example.com' }: ReportFields) =>
    mailOf(`
From: <postmaster@contoso.example>
To: <no-reply@countersign.local>
Content-Type: multipart/report; report-type=delivery-status;
	boundary="c9a7a0a5-1d3f-4c58-9a4e-0d4c6b5e7f10"
In-Reply-To: ${original}
Subject: Undeliverable: Your code
Auto-Submitted: auto-replied
MIME-Version: 1.0

--c9a7a0a5-1d3f-4c58-9a4e-0d4c6b5e7f10
Content-Type: multipart/alternative; boundary="inner"

--inner
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Your message couldn't be delivered.=
--inner
Content-Type: text/html; charset="us-ascii"

<p>Your message couldn't be delivered.</p>
--inner--

--c9a7a0a5-1d3f-4c58-9a4e-0d4c6b5e7f10
Content-Type: message/delivery-status
Content-Transfer-Encoding: base64

${Buffer.from(
  `Reporting-MTA: dns;AM0PR01.contoso.example\r\n\r\nFinal-Recipient: rfc822;${recipient}\r\nAction: failed\r\nStatus: 5.1.10\r\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup\r\n`,
).toString('base64')}

--c9a7a0a5-1d3f-4c58-9a4e-0d4c6b5e7f10
Content-Type: message/rfc822

Received: from mail.example.org by AM0PR01.contoso.example
Message-ID:
	${original}
Subject: Your code

The text of the mail.

--c9a7a0a5-1d3f-4c58-9a4e-0d4c6b5e7f10--
`),
  /** Gmail names the mail also in In-Reply-To. */
  gmail: ({ original, recipient = 'anna@example.com' }: ReportFields) =>
    mailOf(`
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: no-reply@countersign.local
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
References: ${original}
In-Reply-To: ${original}
Content-Type: multipart/report; boundary="000000000000e1a2b3"; report-type=delivery-status

--000000000000e1a2b3
Content-Type: multipart/related; boundary="000000000000e1a2b4"

--000000000000e1a2b4
Content-Type: text/html; charset="UTF-8"

<h1>Address not found</h1>
--000000000000e1a2b4--
--000000000000e1a2b3
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Received-From-MTA: dns; no-reply@countersign.local
Arrival-Date: Mon, 01 Dec 2025 00:00:00 -0800 (PST)

Final-Recipient: rfc822; ${recipient}
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.com. (192.0.2.5, the server for the domain.)
Diagnostic-Code: smtp; 550 5.1.1 No such user
Last-Attempt-Date: Mon, 01 Dec 2025 00:00:01 -0800 (PST)

--000000000000e1a2b3--
`),
};

/** An abuse report, as mailbox providers send it to the feedback address of a sender. */
export const complaint = ({ original, type = 'abuse' }: { original: string; type?: string }): Buffer =>
  mailOf(`
From: <complaints@mailbox.example>
To: <abuse@countersign.local>
Subject: FW: Your code
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="part1"

--part1
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report.

--part1
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1

--part1
Content-Type: message/rfc822
Content-Disposition: inline

From: Countersign <no-reply@countersign.local>
Message-ID: ${original}
Subject: Your code

The text of the mail.
--part1--
`);
