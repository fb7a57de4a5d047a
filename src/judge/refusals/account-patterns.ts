import type { ErrorPattern } from './error-pattern.js';
import { any, near } from './near.js';

const aLimit = String.raw`(?:limit|max|allowed|bytes|[kmg]i?b\b)`;

const lacking = [
  String.raw`insufficient|not enough|(?:not|n't) have (?:enough|sufficient|any)|\bno|lack\w*|negative`,
  String.raw`(?:run|ran|running|are|is) out of|used(?: up| all| of)*|exceed\w*`,
];
const whose = ['your|its|the|remaining|more|current|monthly|daily|account|available|prepaid|api|free'];

const ofMoney = any(
  String.raw`\b(?:credits?|balance|funds?|allowance|prepaid|wallet|subscription|trial|quota)\b`,
  String.raw`\bfree (?:tier|quota|trial|allocation|allowance|usage|requests?|calls?)\b`,
  String.raw`(?<!(?:thinking|reasoning|token) )\bbudget\b`,
);

const longWindow = any(
  String.raw`\b(?:daily|weekly|monthly|yearly|hourly)\b|[/] ?(?:day|month)\b|\bper[- ]day\b`,
  String.raw`\b(?:month|hour) allocated\b`,
  String.raw`\b(?:per|a|an|each|this|the|current|billing|included) (?:day|week|month|period|cycle|billing cycle)\b`,
);
const usedUp = any(
  String.raw`exceed|reach|exhaust|\bused (?:up|all)\b|consum|limited to|\bhit\b|\bcapped\b|\bare spent\b|included in`,
);

/** What concerns the key, the bill, the load, the content or a machine in front: any request could meet it. */
export const accountPatterns = {
  auth: {
    codes: [
      /^(?:invalid_?api_?key|incorrect_?api_?key|api_?key_?(?:invalid|expired))$/i,
      /^(?:authentication(?:_?error|_?failed)?)$/i,
      /^(?:invalid_?authentication(?:_?error)?|unauthori[sz]ed(?:_?error)?|unauthenticated)$/i,
      /^(?:invalid_?token|token_?expired|access_?denied(?:_?exception)?|permission(?:_denied|_error)?)$/i,
      /^(?:unsupported_country\w*|(?:invalid_?access_?key|auth_?failure)\w*|2049|1004|110)$/i,
    ],
    words: [
      near(
        any('invalid|incorrect|missing|expired|wrong|revoked|no valid|not valid|required|provide'),
        any('api[ _-]?key|access token|bearer token|auth token|credential'),
        40,
      ),
      near(
        any('api[ _-]?key|access token|bearer token|auth token|credentials?'),
        any('invalid|incorrect|missing|expired|revoked|not valid|wrong'),
        40,
      ),
      /unauthori[sz]ed|not authori[sz]ed|authentication (?:failed|error|required)/i,
      /鉴权|认证失败|身份验证|(?:密钥|令牌).{0,10}(?:无效|错误|过期|不正确)|(?:无效|错误).{0,6}(?:密钥|令牌)/,
      /API-Schlüssel|Authentifizierung|clé (?:d'|d’)?API|authentification|clave (?:de )?API/i,
      /chave (?:de |da )?API|autenticación|autenticação|API ?キー|認証|API ?키|인증|API[- ]ключ|ключ API|аутентификац/i,
      /авторизац/i,
    ],
  },
  /** Something that only money or a longer window mends. */
  quota: {
    codes: [
      /(?:daily|weekly|monthly)_?(?:quota|limit|usage)/i,
      /insufficient_?(?:\w*_)?(?:quota|balance|funds|credits?)|billing|arrear|overdue|payment_?required/i,
      /exceeded_?current_?quota|out_?of_?credits|credits_?error|(?:budget|spend\w*)_?(?:limit_?)?exceeded/i,
      /free_?tier|unpurchased|set_?limit_?exceeded|no_?credit|quota_user_daily|quote_exceeded/i,
      /exceeded_its_spending|exhausted_?quota|daily_?(?:limit|quota)/i,
      /^(?:1113|1008|1304|1308|1309|1310|2056|11201|3036|30001)$/i,
    ],
    words: [
      /payment method (?:was )?declined/i,
      /\bused\b[^;\n]{0,40}\bof your\b[^;\n]{0,30}(?:budget|quota|allowance|credits)/i,
      /subscription[^.;\n]{0,40}\bnot active|no active subscription/i,
      /日调用量|(?:调用量|用量|次数)已?超限/,
      near(
        ofMoney,
        any(
          String.raw`insufficient|too low|\blow\b|exhaust|deplet|\bspent\b|used (?:up|all)`,
          String.raw`(?:run|ran|running) out|expired|inactive|lapsed|\bended\b|exceeded|reached`,
          String.raw`(?:is|are) (?:zero|negative|0\b|empty)|not (?:enough|sufficient)|below|consumed`,
        ),
        60,
      ),
      near(any(...lacking), String.raw` (?:${any(...whose)} )*(?:credits?|balance|funds?|quota|allocation)\b`, 0),
      /\b(?:add|purchase|buy|need|deposit|refill)\b[^.;\n]{0,30}\b(?:credits?|funds|balance|payment method)\b/i,
      /top[ -]?up\b|recharge|\barrears?\b|overdue|unpaid|payment (?:is )?required/i,
      /(?:outstanding|past[- ]due|failed|open) (?:invoices?|payments?|bills?|balance)/i,
      near(
        'billing',
        any('to be enabled|not (?:enabled|active)|inactive|disabled|required|limit|issue|problem', 'details'),
        40,
      ),
      /(?:enable|set ?up|check|manage|update)\b[^.;\n]{0,25}\bbilling/i,
      /account[^.;\n]{0,30}\b(?:not active|suspended for)|in good standing/i,
      /\b(?:cost|spend(?:ing)?)[ -](?:limit|cap|budget)|usage (?:limit|cap)|account[^.;\n]{0,20}\bpast[ -]due/i,
      /\b(?:key|account|team)(?:'s)? (?:limit|budget) (?:was |is |has been )?(?:exceeded|reached)/i,
      /\borgani[sz]ation(?:'s)? (?:limit|budget) (?:was |is |has been )?(?:exceeded|reached)/i,
      /\b(?:project|workspace)(?:'s)? (?:limit|budget) (?:was |is |has been )?(?:exceeded|reached)/i,
      /(?:plan|subscription|tier) (?:does not|doesn't) (?:cover|include)/i,
      /upgrade (?:to|your)\b[^.;\n]{0,20}\b(?:paid|plan|account|subscription)/i,
      /(?:on|requires?|only (?:for|on|to)) (?:a |the )?paid (?:plan|tier|account|basis)/i,
      near(
        String.raw`\b${any('daily|weekly|monthly')}\b`,
        String.raw`\b(?:limit|budget|quota|cap|allowance)\b[^.;\n]{0,20}(?:exceed|reach|used|\bhit\b|exhaust)`,
        30,
      ),
      near(
        String.raw`(?:exceed|reach|used|\bhit\b|exhaust)\w*`,
        String.raw`\b(?:daily|weekly|monthly)\b[^.;\n]{0,30}\b(?:limit|budget|quota|cap|allowance)\b`,
        20,
      ),
      near(longWindow, usedUp, 100),
      near(
        any(String.raw`exceed|reach|exhaust|\bused (?:up|all)\b|consum|limited to|\bhit\b|\bcapped\b|may spend`),
        any(
          String.raw`\b(?:daily|weekly|monthly|yearly)\b`,
          String.raw`\b(?:per|a|each|this|the|current|billing) (?:day|week|month|period|cycle|billing cycle)\b`,
          String.raw`[/] ?(?:day|month)\b`,
        ),
        100,
      ),
      near(
        String.raw`\b${any('subscription|membership|licen[cs]e|coding plan|limit of your plan')}\b`,
        any('expired|ended|lapsed|inactive|exhaust|used up|reached'),
        60,
      ),
      /(?:exhaust\w*|reached)[^.;\n]{0,40}(?:on (?:this|your) subscription|limit of your plan)/i,
      /membership benefits|over budget|exceed\w*[^.;\n]{0,20}(?<!(?:thinking|reasoning|token) )\bbudget/i,
      /spend(?:ing)?[^.;\n]{0,10} (?:limit|guard|cap)\b|inference limit|exhausted its[^.;\n]{0,20} quota/i,
      /not purchased|call volume quota|included credits|(?:daily|total) request (?:limit|quota)/i,
      /don't have any credits/i,
      /(?:已达|达到|超出|超过|用完|用尽|耗尽|已用).{0,14}(?:限额|使用上限|次数上限|调用上限)|(?:今日|当日|本日|本月|本周|每[日天周月]).{0,12}(?:上限|限额|用完|用尽)/,
      /(?:次数|调用量|限额|会员|权益|订阅).{0,8}(?:不足|耗尽|用尽|用完|到期|过期|超出限额)|续费|续订|预扣费|升级套餐|推理限额/,
      /(?:余额|额度|配额|账户|账号|资源包|套餐).{0,12}(?:不足|耗尽|用尽|用完|已用|为零|欠费|到期|过期)|欠费|充值|免费额度/,
      /Guthaben.{0,40}(?:aufgebraucht|erschöpft|reicht nicht|zu niedrig|leer)/i,
      /(?:kein|nicht genug|nicht ausreichend\w*|unzureichende\w*) Guthaben/i,
      /Kontingent.{0,30}(?:aufgebraucht|erschöpft)|Guthaben aufladen|Konto auf(?:laden)?\b|Abrechnung|Zahlung/i,
      /(?:solde|crédits?).{0,40}(?:insuffisant|épuis|trop (?:bas|faible))/i,
      /quota (?:mensuel|journalier|quotidien)|quota.{0,30}(?:épuisé|atteint)|recharge[rz]|facturation|paiement/i,
      /(?:saldo|cr[eé]ditos?|fondos|fundos|cuota|cota).{0,40}(?:insuficiente|agotad|esgotad|acab|termin)/i,
      near(
        any('insuficientes?|sin|sem|agregue|añada|adicione|compre|recargue|recarregue'),
        ' (?:saldo|cr[eé]ditos?|fondos|fundos)',
        10,
      ),
      /(?:cuota|cota|límite|limite) (?:mensual|mensal|diari[oa]|de gasto)|facturaci[oó]n|faturamento/i,
      /残高.{0,10}(?:不足|足り)|利用(?:上限|枠)|(?:今月|本日|月間|日次).{0,12}上限|クレジット.{0,10}(?:不足|足り|切れ|使い切)|支払|チャージ/,
      /(?:크레딧|잔액|잔고|한도).{0,10}(?:부족|소진|없)|결제|충전/,
      /недостаточно (?:средств|кредитов)/i,
      /(?:баланс|счёт|счет|кредит)\S*.{0,20}(?:исчерпан|недостаточ|нулев|пуст)|пополн|оплат/i,
      /(?:credito|saldo).{0,30}(?:insufficient|esaurit|non (?:è )?sufficient|terminat)|\bricaric/i,
      /tegoed.{0,20}(?:\bop\b|onvoldoende|ontoereikend)|onvoldoende (?:tegoed|saldo)/i,
      /bakiye.{0,12}(?:yetersiz|\byok)|(?:yetersiz|yeterli) bakiye|brak środków/i,
      /niewystarczając\S* (?:środk|sald)|số dư.{0,20}(?:không đủ|hết)|hết số dư|رصيد\S* غير كاف/i,
    ],
  },
  /** Only the bill speaks so, even where a rate is named beside it. */
  bill: {
    words: [
      /requires? more credits|can only afford|cannot afford/i,
      /free (?:allocated |trial )?quota (?:was |is |has been )?(?:exceeded|exhausted|used)|欠费|\barrears\b/i,
      /insufficient balance/i,
    ],
  },
  /** Any word about money; enough where the status already says that a limit was hit. */
  money: {
    words: [
      /\bbalance\b|billing|\bcredits?\b|recharge|top[ -]?up\b|arrears|overdue|insufficient (?:funds|quota)/i,
      /payment required|usage limit|spend(?:ing)? limit|\bpaid (?:plan|tier)|free (?:tier|quota|allocation)|余额/i,
      /欠费|充值|额度|账户.{0,6}不足|套餐|Guthaben|Kontingent|Abrechnung|solde|crédits? (?:insuff|épuis)|facturation|残高/i,
      /クレジット|支払|saldo|créditos|크레딧|잔액|결제|баланс|средств/i,
    ],
  },
  /** A quota that does not refill within minutes. */
  longWindow: {
    words: [
      /per[ -_]?(?:day|week|month)|perday|\bdaily\b|\bweekly\b|\bmonthly\b/i,
      /\d+[ -]?(?:hour|h)\b.{0,20}(?:limit|window|reset)|\b86400 ?s\b|[/] ?(?:day|week|month)\b|billing cycle/i,
      /每[天日月周]|今日|当日|本月|本周|\d+ ?小时的|pro (?:Tag|Monat)|täglich|par (?:jour|mois)|[1１]日あたり|毎日/i,
      /por (?:día|dia|mes|mês)|diari[oa]|하루|일일|월간|в (?:день|сутки|месяц)|дневн|суточн|месячн/i,
    ],
  },
  /** Only the name of the status. */
  status429: {
    codes: [/too_?many_?requests/i],
  },
  rate: {
    codes: [
      /slow_?down/i,
      /(?<![a-z])rate_?limit|request_quota_exceeded|token_quota_exceeded|throttl/i,
      /limit_(?:requests|burst_rate|tokens)|per_?min(?:ute)?|(?:^|_)[rtq]p[ms](?:_|$)|request_?limit_?exceeded/i,
      /rate_?quota|^(?:1302|1303|1002)$|^RPM|^TPM/i,
    ],
    words: [
      /reduce your request rate/i,
      /per[ -_]?(?:second|minute|min)\b|perminute|\b(?:[it]?rpm|[iot]?tpm|rps|qps)\b|(?<![a-z])rate[ -_]?limit/i,
      /concurren|throttl|too many requests/i,
      /频率|限流|速率|并发|过于频繁|每分钟|每秒/,
      /(?:exceed\w*|over) the frequency|frequency limit|times per minute|\brate exceeded\b|Ratenlimit/i,
      /Ratenbegrenzung|Zu viele Anfragen|pro (?:Minute|Sekunde)|limite de (?:débit|requêtes)|trop de requêtes/i,
      /par (?:minute|seconde)|por (?:minuto|segundo)|demasiadas (?:solicitudes|peticiones)/i,
      /muitas (?:solicitações|requisições)|レート制限|リクエストが多すぎ|毎分|1分あたり|분당|초당|요청이 너무 많|в (?:минуту|секунду)/i,
      /слишком много запросов|частот/i,
    ],
  },
  overloaded: {
    codes: [
      /^1305$|overload|capacity|server_?busy|busy|insufficient_system_resource|resource_?unavailable/i,
      /service_?unavailable/i,
    ],
    words: [
      /overload|(?:at|over|out of|exceed\w*|no|insufficient) (?:\w+ )?capacity/i,
      /capacity (?:is |was )?(?:exceeded|exhausted|reached)|high (?:traffic|demand|load)|heavy load/i,
      /(?:server|service|system|engine|model) is (?:currently |too )?busy|temporarily unavailable/i,
      /\b(?:is|currently) loading\b|workers? (?:is|are) busy|no healthy backend|访问量过大|流量过大|正在加载|繁忙|过载|负载|拥挤/i,
      /überlastet|ausgelastet|Auslastung|surcharg|satur|forte (?:charge|demande)|sobrecarg|過負荷|混雑|混み合|과부하/i,
      /перегруж/i,
    ],
  },
  gateway: {
    words: [
      /bad gateway|gateway time-?out|endpoint request timed out|no healthy upstream/i,
      /upstream (?:connect|request|server|timed? ?out)|cloudflare|nginx|reverse proxy/i,
    ],
  },
  /** A challenge or firewall that answers in words. */
  inFront: {
    words: [
      /^\s*error code: 1\d{3}\s*$|attention required! \||incapsula|captcha|web application firewall/i,
      /\bWAF\b.{0,30}(?:block|reject|denied)|(?:block|reject|denied)\w*.{0,30}\bWAF\b/i,
      /used cloudflare to restrict/i,
    ],
  },
  /** Counted in bytes by a machine in front: RFC 9110 calls it content, older servers entity or payload. */
  bodySize: {
    codes: [/(?:entity|payload|body|request)[._]?too[._]?(?:large|big|long)/i],
    words: [
      /(?:entity|payload|body|request) (?:is |was )?too (?:large|long|big)/i,
      /too (?:large|big) (?:a )?(?:body|payload)/i,
      near(
        any('body|payload|(?:request|content) size'),
        String.raw` (?:size )?(?:(?:is|was|\d+) )*(?:over|larger than|bigger than|exceed\w*) .{0,40}${aLimit}`,
        0,
      ),
      near(
        String.raw`(?:request|content) (?:is |was )?(?:over|larger than|bigger than|exceed\w*) `,
        any(String.raw`bytes|[kmg]i?b\b|size`),
        40,
      ),
      /(?:maximum|max\.?|allowed|limit on the) (?:request )?(?:body|payload|content|request) size/i,
      /(?:max\w*|limit\w*) (?:\w+ ){0,3}(?:bytes|size)\b[^.;\n]{0,20}\b(?:request )?(?:body|payload)/i,
      /exceeds the maximum (?:request )?size/i,
      /(?:request|body|payload) must be (?:smaller|less) than [\d.,]+ ?(?:bytes|[kmg]i?b\b)/i,
      /headers? or cookies? too large|请求体.{0,8}(?:过大|太大|超)|(?:Anfrage|Anforderung|Nutzlast) (?:ist )?zu groß/i,
      /(?:corps|charge utile|requête).{0,20}trop (?:grand|volumineu|gros|long)/i,
      /(?:cuerpo|carga|solicitud|corpo|requisição).{0,20}(?:demasiado grande|muito grande)|リクエスト.{0,10}大きすぎ/i,
      /요청.{0,10}너무 (?:큽|큰)|(?:тело|запрос)\S*.{0,20}слишком больш/i,
    ],
  },
  contentFiltered: {
    codes: [
      /content_?(?:filter|policy|management|moderation|safety)|responsible_?ai|data_?inspection|sensitive/i,
      /moderation|prohibited_content|risk_control|safety_(?:block|violation|filter)|^(?:1301|1026|1027)$/i,
    ],
    words: [
      /content (?:management )?polic|content[ _-]?filter|content exists risk/i,
      /(?<!account (?:has )?)(?:was|were|been|is|are|input|prompt|content|output|message|text|request) flagged/i,
      /flagged (?:for|as|by|content|input)/i,
      /(?:requires?|failed|blocked by|rejected by|violat\w*)\W{0,3}(?:our |the |content )*moderation/i,
      /moderation (?:block|filter|polic|system|service|reject|fail|flag)/i,
      /safety (?:system|filter|settings|polic|guideline|guardrail|reasons)|guardrail/i,
      /inappropriate (?:content|input|text)|sensitive (?:information|content|words?)|block(?:ed)? reason/i,
      /considered (?:as )?high risk|(?:usage|acceptable use|use) polic|prohibited[ _](?:content|use)/i,
      /(?:content|text|prompt|input|output|message)s? (?:\w+ ){0,4}(?:not allowed|prohibited|unsafe)/i,
      /(?:content|text|prompt|input|output|message)s? (?:\w+ ){0,4}(?:harmful|sensitive|violates?)/i,
      /(?:blocked|rejected|refused|stopped|filtered) (?:\w+ ){0,4}(?:content|safety|policy|moderation)/i,
      /(?:unsafe|harmful) (?:content|prompt|input|request|message|text)/i,
      /(?:hate(?: speech)?|violence|self-harm) (?:was |is |were )?(?:detected|blocked|found)/i,
      /(?:sexual content|pornography) (?:was |is |were )?(?:detected|blocked|found)/i,
      near(
        any('detected|contains?|contained|classified as|flagged'),
        String.raw`\b${any(String.raw`hate(?:ful| speech)|violen(?:ce|t)|self-harm|sexual(?:ly)?|porn\w*`)}\b`,
        20,
      ),
      /terms of (?:service|use) violation[^.;\n]{0,30}\b(?:prompt|content|input|message)\b|\[moderation\]/i,
      /敏感|违规|不合规|不当内容|内容审查|安全策略|不安全|内容安全|内容审核|审核.{0,6}(?:未通过|拒绝|不通过)|风控|涉嫌|违法/,
      /Inhaltsrichtlinie|Inhaltsfilter|Nutzungsrichtlinie|Sicherheitsrichtlinie|schädliche\w* Inhalt/i,
      /unzulässige\w* Inhalt|politique (?:de contenu|d'utilisation)|filtre de contenu|modération/i,
      /contenu inapproprié|política de (?:contenido|conteúdo|uso)|filtro de (?:contenido|conteúdo)/i,
      /moderaci[oó]n|moderação|contenido inapropiado|conteúdo (?:impróprio|inadequado|bloqueado)/i,
      /contenido bloqueado|política de (?:seguridad|segurança)|norme di (?:sicurezza|utilizzo)/i,
      /filtro (?:dei |di )?contenut|contenut\S* (?:inappropriat|vietat|non consentit)|niedozwolon\S* treś/i,
      /moderacj|ongepaste inhoud|コンテンツ(?:ポリシー|フィルタ)|安全(?:性)?(?:ポリシー|フィルタ)|有害な|不適切|안전 정책|부적절|유해한 콘텐츠/i,
      /콘텐츠 (?:정책|필터)|модерац|недопустим\S* (?:контент|содержани)|запрещ\S* (?:контент|содержани)/i,
      /политик\S* (?:контента|использования)/i,
    ],
  },
  serverError: {
    codes: [
      /internal|server_?error|upstream|provider_?(?:error|unavailable)|api_?error|engine|unknown_error/i,
      /network_error|^error$|^abort/i,
    ],
    words: [
      /internal (?:server )?error|upstream|unexpected error|服务器(?:内部)?错误|内部错误|系统错误|interner (?:Server)?fehler/i,
      /erreur interne|内部エラー/i,
    ],
  },
} as const satisfies Record<string, ErrorPattern>;
