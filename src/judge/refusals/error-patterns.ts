import type { RefusalFacts } from './refusal.js';

/** How a meaning is recognised: by the codes and types of an error, by the field it names, or by its words. */
interface ErrorPattern {
  /** Matched against each code and type. */
  readonly codes?: RegExp;
  /** Matched against each name of a refused field. */
  readonly params?: RegExp;
  /** Matched against the messages. Services echo field names in every language; words are given in several. */
  readonly words?: RegExp;
}

/**
 * What can be refused, and how to recognise it. The patterns contain no vendor's whole sentences. Unlisted wording is
 * still recognised by the status, the code, the field or an echoed field name.
 */
const patterns = {
  auth: {
    codes:
      /^(?:invalid_?api_?key|incorrect_?api_?key|api_?key_?invalid|authentication(?:_?error|_?failed)?|invalid_?authentication(?:_?error)?|unauthori[sz]ed(?:_?error)?|unauthenticated|invalid_?token|access_?denied|permission(?:_denied|_error)?|2049|1004)$/i,
    words:
      /(?:invalid|incorrect|missing|expired|wrong|no valid|not valid|required|provide).{0,40}(?:api[ _-]?key|access token|credential)|(?:api[ _-]?key|access token|credentials?).{0,40}(?:invalid|incorrect|missing|expired|not valid|wrong)|unauthori[sz]ed|authentication (?:failed|error|required)|鉴权|认证失败|身份验证|(?:密钥|令牌).{0,10}(?:无效|错误|过期|不正确)|(?:无效|错误).{0,6}(?:密钥|令牌)|API-Schlüssel|Authentifizierung|clé (?:d'|d’)?API|authentification|APIキー|認証/i,
  },
  quota: {
    codes:
      /insufficient_?(?:quota|balance|funds|credits?)|billing|arrear|overdue|payment_?required|exceeded_?current_?quota|out_?of_?credits|^(?:1113|1008|1304|1308|1309|1310|30001)$/i,
    words:
      /\bbalance\b|billing|\bcredits?\b|recharge|top[ -]?up\b|arrears|overdue|insufficient (?:funds|quota)|payment required|usage limit|spend(?:ing)? limit|余额|欠费|充值|额度|账户.{0,6}不足|套餐|Guthaben|Kontingent|Abrechnung|solde|crédits? (?:insuff|épuis)|facturation|残高|クレジット|支払/i,
  },
  /** A quota that does not refill within minutes. */
  longWindow: {
    words:
      /per[ -_]?(?:day|week|month)|perday|\bdaily\b|\bweekly\b|\bmonthly\b|\d+ ?(?:hour|h)\b.{0,20}(?:limit|window|reset)|每[天日月周]|pro (?:Tag|Monat)|täglich|par (?:jour|mois)|[1１]日あたり|毎日/i,
  },
  rate: {
    codes:
      /rate_?limit|too_?many_?requests|request_quota_exceeded|token_quota_exceeded|throttl|^(?:1302|1303|1002)$|^RPM|^TPM/i,
    words:
      /per[ -_]?(?:second|minute|min)\b|perminute|\b(?:[it]?rpm|[iot]?tpm|rps|qps)\b|rate[ -_]?limit|concurren|throttl|频率|限流|速率|并发|过于频繁|每分钟|每秒|Ratenlimit|Ratenbegrenzung|pro (?:Minute|Sekunde)|limite de (?:débit|requêtes)|par (?:minute|seconde)|レート制限|毎分|1分あたり/i,
  },
  overloaded: {
    codes:
      /overload|capacity|server_?busy|busy|insufficient_system_resource|resource_?unavailable|service_?unavailable/i,
    words:
      /overload|(?:at|over|out of|exceeds?|no|insufficient) (?:\w+ )?capacity|high (?:traffic|demand|load)|heavy load|(?:server|service|system|engine|model) is (?:currently |too )?busy|temporarily unavailable|繁忙|过载|负载|拥挤|überlastet|ausgelastet|Auslastung|surcharg|satur|forte (?:charge|demande)|過負荷|混雑|混み合/i,
  },
  gateway: {
    words:
      /bad gateway|gateway time-?out|no healthy upstream|upstream (?:connect|request|server|timed? ?out)|cloudflare|nginx|reverse proxy/i,
  },
  modelOutput: {
    codes:
      /json_validate_failed|tool_use_failed|output_parse|model_output|generation_(?:failed|error)|malformed_function_call|invalid_model_(?:output|response)/i,
    words:
      /failed to (?:generate|call a function|produce)|failed to parse input at pos|model (?:produced|generated|emitted|called)|model'?s? (?:output|response|answer) (?:is|was|could|can ?not|did|does|failed)|(?:could not|cannot|failed to) parse (?:the )?(?:model|generated|generation)|does not match the expected .{0,40}format|validation errors? for list\[|function-wrap\[|模型(?:输出|返回|生成).{0,30}(?:解析|不符|无法|格式|错误)|Modellausgabe|vom Modell (?:erzeugt|generiert)|sortie du modèle|(?:généré|produit)e?s? par le modèle|モデル(?:の|が)?(?:出力|生成)/i,
  },
  contentFiltered: {
    codes:
      /content_?(?:filter|policy|management|moderation|safety)|responsible_?ai|data_?inspection|sensitive|moderation|prohibited_content|^(?:1301|1026|1027)$/i,
    words:
      /content (?:management )?policy|content[ _-]?filter|flagged|moderation|safety (?:system|filter|settings|policy|guidelines)|inappropriate content|high risk|敏感|违规|不当内容|不安全|内容安全|审核|Inhaltsrichtlinie|Inhaltsfilter|politique de contenu|filtre de contenu|modération|コンテンツポリシー|不適切/i,
  },
  modelNotFound: {
    codes:
      /model_?(?:not_?(?:found|exist)|does_?not_?exist|unavailable|retired|decommissioned)|(?:invalid|unknown|no_such)_?model|invalidendpointormodel|deployment_?not_?found|^(?:1211|20012)$/i,
    params: /^model$/i,
    words:
      /(?:\bmodel|deployment|\(model\)).{0,60}(?:does not exist|do not exist|not exist|not found|unknown|no longer|retired|decommissioned|deprecated and|is not available|not a valid model)|(?:no such|unknown|invalid|cannot find|could not find|no endpoints found for) (?:the )?(?:model\b|deployment|\(model\))|模型.{0,20}(?:不存在|找不到|未找到|已下线)|(?:不存在|找不到|未找到).{0,10}模型|Modell.{0,60}(?:nicht gefunden|existiert nicht|unbekannt|nicht verfügbar)|modèle.{0,60}(?:introuvable|n'existe pas|inconnu|non trouvé)|モデル.{0,60}(?:存在しません|見つかりません|存在しない)/i,
  },
  contextLength: {
    codes: /context_?(?:length|window)|prompt_?too_?long|max_?context|input_?too_?long|string_above_max_length/i,
    words:
      /context[ _-]?(?:length|window|size)|maximum context|exceeds? .{0,30}context|(?:prompt|input|messages?) (?:is |are )?too (?:long|large)|too many (?:input )?tokens|input (?:token|length)|max_model_len|上下文|输入.{0,6}(?:长度|过长|超长)|Kontext(?:länge|fenster|größe)|(?:Eingabe|Prompt).{0,10}zu lang|(?:longueur|fenêtre) (?:du |de )?(?:contexte)|(?:invite|entrée).{0,20}trop long|コンテキスト|入力が長/i,
  },
  /** Counted in bytes by a machine in front: RFC 9110 calls it content, older servers entity or payload. */
  bodySize: {
    codes: /(?:entity|payload|body|request)[._]?too[._]?(?:large|big|long)/i,
    words:
      /(?:entity|payload|body|request) (?:is |was )?too (?:large|long|big)|too (?:large|big) (?:a )?(?:body|payload)|(?:body|payload|request|content)(?: size)? (?:is |was )?(?:over|larger than|bigger than|exceed\w*) .{0,40}(?:limit|max|allowed|bytes|[kmg]i?b\b)|(?:maximum|max\.?|allowed|limit on the) (?:request )?(?:body|payload|content|request) size|请求体.{0,8}(?:过大|太大|超)|(?:Anfrage|Anforderung|Nutzlast) (?:ist )?zu groß|(?:corps|charge utile|requête).{0,20}trop (?:grand|volumineu|gros|long)|リクエスト.{0,10}大きすぎ/i,
  },
  /** The cap on the output is too large, or not known by that name. */
  outputCap: {
    params: /^max_(?:completion_|output_|new_)?tokens$/i,
    words: /\bmax_(?:completion_|output_|new_)?tokens\b/i,
  },
  toolChoice: {
    params: /tool[ _.-]?(?:choice|config)|function_?call(?:ing_?config)?$/i,
    words: /\btool[ _-]?(?:choice|config)|function[ _-]?calling[ _-]?config/i,
  },
  thinking: {
    words: /thinking|\breasoning\b|思考|推理模式|推理过程|\bDenk|réflexion|raisonnement|mode pensée|推論/i,
  },
  responseFormat: {
    params: /response[ _-]?(?:format|schema|mime)|text\.format/i,
    words:
      /response[ _-]?format|json[ _-]?(?:mode|output|schema|object|format)\b|structured[ _-]?output|response[ _-]?(?:mime[ _-]?type|schema)|结构化输出|strukturierte Ausgabe|sortie structurée|構造化出力|\btype: input should be 'text'/i,
  },
  jsonWord: {
    words:
      /(?:messages?|prompt|消息|提示|Nachricht|Eingabe|invite|メッセージ|プロンプト)[^.\n]{0,80}(?:contain|include|mention|word|包含|含有|出现|字样|单词|enthalten|enthält|Wort|conten|mot\b|含|単語)[^.\n]{0,40}\bjson\b(?![ _-]?(?:schema|object))|\bjson\b(?![ _-]?(?:schema|object))[^.\n]{0,40}(?:contain|include|word|包含|字样|单词|enthalten|Wort|conten|mot\b|含|単語)[^.\n]{0,80}(?:messages?|prompt|消息|提示|Nachricht|Eingabe|invite|メッセージ|プロンプト)/i,
  },
  schema: {
    codes:
      /invalid_?(?:json_?)?schema|invalid_?function_?parameters|schema_(?:error|invalid|not_supported|validation|too)|unsupported_?schema/i,
    params: /json_schema\.schema|\.parameters\b|function_?declarations|response_?schema|^schema\b|#\//i,
    words:
      /#(?:\/|:)|\$(?:ref|defs|schema|id)\b|\b(?:additionalProperties|unevaluated\w+|patternProperties|propertyNames|prefixItems|(?:min|max)(?:Items|Length|Properties|Contains)|exclusiveM\w+|multipleOf|anyOf|oneOf|allOf|uniqueItems|dependent[A-Z]\w+|contentEncoding)\b|\bgrammar|\boutlines\b|llguidance|levels? of nesting|nesting (?:depth|level)|unrecognized type|could not understand the instance|(?:function|tools?|functions?)\S*\.parameters|function_declarations|schema[ -]?(?:fields?|keywords?|keys?|features?|error|conversion|contains|depth|definitions?|nesting|compilation|validation)|(?:invalid|malformed|unsupported|bad) (?:json[ _-]?)?schema|schema .{0,40}(?:is invalid|not valid|malformed|too (?:deep|large|complex)|exceeds|could not be)|not a valid .{0,40}schema|ungültige[sn]? (?:JSON-)?Schema|Schema.{0,20}(?:ungültig|fehlerhaft)|schéma.{0,20}(?:invalide|non valide)|无效的.{0,12}(?:schema|模式)|schema.{0,12}(?:无效|不合法|错误|非法)|スキーマ.{0,12}(?:無効|不正|エラー)/i,
  },
  invalidRequest: {
    codes:
      /^(?:invalid_?(?:request|parameter|param|argument|value|type)\w*|bad_?request\w*|invalid_?argument|unsupported_?(?:parameter|value)\w*|missing_?(?:required_?)?parameter|unprocessable\w*|value_error|type_error|validation_?error|extra_forbidden|wrong_api_format|1210|1213|1214|1215|2013|20015)$/i,
  },
  serverError: {
    codes:
      /internal|server_?error|upstream|provider_?(?:error|unavailable)|api_?error|engine|unknown_error|network_error|^error$|^abort/i,
    words:
      /internal (?:server )?error|upstream|unexpected error|服务器(?:内部)?错误|内部错误|系统错误|interner (?:Server)?fehler|erreur interne|内部エラー/i,
  },
} as const satisfies Record<string, ErrorPattern>;

type Meaning = keyof typeof patterns;

/** Whether a code or a type of the error has this meaning. */
export function codeMeans(meaning: Meaning, { codes, types }: RefusalFacts): boolean {
  const pattern = (patterns[meaning] as ErrorPattern).codes;
  return pattern !== undefined && [...codes, ...types].some((code) => pattern.test(code));
}

/** Whether the field that the error names as refused has this meaning. */
export function fieldMeans(meaning: Meaning, { params }: RefusalFacts): boolean {
  const pattern = (patterns[meaning] as ErrorPattern).params;
  return pattern !== undefined && params.some((param) => pattern.test(param));
}

/** Whether the words of the error have this meaning. */
export function wordsMean(meaning: Meaning, { text }: RefusalFacts): boolean {
  return indexOfMeaning(meaning, text) >= 0;
}

/** Where in the text the meaning first appears; -1 where it does not. */
export function indexOfMeaning(meaning: Meaning, text: string): number {
  const pattern = (patterns[meaning] as ErrorPattern).words;
  return pattern === undefined ? -1 : text.search(pattern);
}

/** Whether the error has this meaning by its codes, its field or its words. */
export function errorMeans(meaning: Meaning, facts: RefusalFacts): boolean {
  return codeMeans(meaning, facts) || fieldMeans(meaning, facts) || wordsMean(meaning, facts);
}
