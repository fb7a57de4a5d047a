import type { ErrorPattern } from './error-pattern.js';
import { any, near } from './near.js';

const unusable = String.raw`(?:not supported|unsupported|unavailable|not available)\b(?! (?:for|with|by|in)\b)`;
const inMessages = any('messages?|prompt|消息|提示|Nachricht|Eingabe|invite|メッセージ|プロンプト');
const contains = any(
  'contain|include|mention|word|包含|含有|出现|字样|单词|enthalten|enthält|Wort|conten',
  String.raw`mot\b|含|単語`,
);
const wordJson = String.raw`\bjson\b(?![ _-]?(?:schema|object))`;

/** What concerns a part of the request, or what the model made of it. */
export const requestPatterns = {
  /** A part of the request that a model lacks altogether: calls, streams. */
  feature: {
    words: [
      /no (?:tool|function)[ -](?:call\w* )?support/i,
      near(
        any(String.raw`\btools?\b|tool[ _-](?:use|calling|calls?)|function[ _-]?call\w*|\bstream(?:ing)?\b`),
        any(String.raw`not (?:supported|enabled|available|allowed)|unsupported|unavailable|disabled|requires?\b`),
        40,
      ),
      near(
        "(?:does not|doesn't|do not|don't|cannot|not) support",
        any(String.raw`\btools?\b|tool[ _-](?:use|calling|calls?)|function|\bstream`),
        20,
      ),
      /only supports? stream|unsupported param/i,
      /不支持.{0,6}(?:函数调用|工具调用|函数|工具|流式)|(?:函数调用|工具调用|流式).{0,6}不支持/,
    ],
  },
  /** The program behind the service broke, whatever status it chose for that. */
  crash: {
    words: [
      /out-of-memory|unhandled exception|stack overflow/i,
      /OutOfMemory|\b(?:Key|Attribute|Index|Runtime|Assertion)Error\b|has no attribute/i,
      /traceback \(most|stack ?trace|out of memory|\bOOM\b|(?:CUDA|HIP|NCCL) error|device-side assert/i,
      /segmentation fault|nil pointer|null ?pointer|'NoneType'|(?:list|string|tuple) index out of range/i,
      /cannot read propert|runtime error|has terminated/i,
      /(?:worker|process|runner|engine)\b[^.\n]{0,20}(?:died|crashed|dead|exited)|engine ?core|panicked at/i,
      /internal server error|unhashable type|is not JSON serializable/i,
      /显存不足|内存不足|进程(?:异常)?退出|崩溃/,
    ],
  },
  modelOutput: {
    codes: [
      /json_validate_failed|tool_use_failed|output_parse|model_output|generation_(?:failed|error)/i,
      /malformed_function_call|invalid_model_(?:output|response)/i,
    ],
    words: [
      /(?:\bmodel|\bLLM) (?:returned|produced|generated|wrote) malformed JSON/i,
      /invalid JSON (?:was )?(?:generated|produced|returned|written) by|output parsing failed|generated JSON (?:is|was)/i,
      /failed to (?:generate|call a function|produce)|failed to parse input at pos/i,
      /model (?:produced|generated|emitted|called)/i,
      /model'?s? (?:output|response|answer) (?:is|was|could|can ?not|did|does|failed)/i,
      /(?:could not|cannot|failed to) parse (?:the )?(?:model|generated|generation)|tool call validation failed/i,
      /does not match the expected .{0,40}format|validation errors? for list\[|function-wrap\[/i,
      near(
        any(String.raw`\bmodel\b|\bLLM\b|completion|generat(?:ed|ion)`),
        any(String.raw`\binvalid JSON|not (?:a )?valid JSON|(?:no|produce) valid JSON|as JSON`),
        40,
      ),
      /generated (?:output|content|text|arguments)[^.\n]{0,20}(?:does not|did not|is not|are not)/i,
      /JSON validation of the (?:completion|output|response)|parse the model/i,
      /(?:输出(?:结果)?|返回的?内容|生成内容).{0,10}(?:解析|不是|不合法).{0,8}(?:JSON|失败)|模型(?:输出|返回|生成).{0,30}(?:解析|不符|无法|格式|错误)/i,
      /Modellausgabe|vom Modell (?:erzeugt|generiert)|sortie du modèle|(?:généré|produit)e?s? par le modèle/i,
      /(?:generad|gerad|producid|produzid)[oa]s? (?:por|pelo) (?:el )?modelo|salida del modelo|saída do modelo/i,
      /モデル(?:の|が)?(?:出力|生成)|모델(?:의|이)? ?(?:출력|생성)|(?:ответ|вывод) модели.{0,40}(?:не|ошиб)/i,
      /сгенерирован\S* моделью/i,
    ],
  },
  /** It is unknown, or closed, not activated, retired, or there is no right to it. */
  modelNotFound: {
    codes: [
      /model_?not_?activated/i,
      /model_?(?:not_?(?:found|exist)|access_?denied|does_?not_?exist|unavailable|retired|decommissioned)/i,
      /(?:invalid|unknown|no_such)_?model|invalidendpointormodel|deployment_?not_?found/i,
      /model\w*_?(?:currently_)?(?:not_?(?:open|available|supported?|loaded|active|enabled)|disabled)/i,
      /model\w*_?(?:currently_)?(?:terms_required|permission\w*|deprecated|access_?disabled)|service_?not_?open/i,
      /(?:unavailable|retired)_?model|model_id_access|^(?:1211|1220|1221|1311|20012|30003|5007|5018)$/i,
    ],
    params: /^model$/i,
    words: [
      /access to (?:the )?(?:model\b|\(model\))[^.;\n]{0,20}denied|[该此]模型的?(?:使用|调用|访问)权限/i,
      /(?:\bmodel\b|\(model\))[^.;\n]{0,40}(?:shut down|sunset|discontinued|withdrawn)/i,
      /not entitled to (?:use |access |call )?(?:the )?(?:model\b|\(model\))/i,
      /permission to (?:call|use|access) (?:the )?(?:model\b|\(model\))|开通(?:该|此|对应)?模型/i,
      near(
        any(String.raw`\bmodels?\b|\(model\)|\bdeployment\b`),
        any(
          String.raw`\bnot (?:been )?(?:activated|enabled|loaded|deployed|included|served|purchased)`,
          String.raw`(?:is|was|been|currently|has) disabled|\bmodel disabled|deactivated`,
          String.raw`end of (?:its |their )?life|\blegacy\b|\bblocked at|terms acceptance|inaccessible`,
          'on-demand throughput|longer available|no permission|currently not support',
        ),
        60,
      ),
      /not support the (?:model|\(model\))/i,
      /not activated (?:the |this |any )?(?:\w+[ -]){0,2}(?:models?\b|\(model\))/i,
      /(?:not allowed to (?:access|use)) (?:the |this |any )?(?:\w+[ -]){0,2}(?:models?\b|\(model\))/i,
      /(?:no (?:permission|right) to use) (?:the |this |any )?(?:\w+[ -]){0,2}(?:models?\b|\(model\))/i,
      /(?:does not work with|unable to access) (?:the |this |any )?(?:\w+[ -]){0,2}(?:models?\b|\(model\))/i,
      /non-serverless (?:the |this |any )?(?:\w+[ -]){0,2}(?:models?\b|\(model\))/i,
      /(?:invocation of|accessing) (?:the |this |any )?(?:\w+[ -]){0,2}(?:models?\b|\(model\))/i,
      /key not allowed to access|no models? (?:is |are )?loaded|\bmodel service is unavailable/i,
      /such model is served|such (?:model|\(model\))/i,
      near(
        String.raw`(?:\(model\)\W{0,3}|\bmodel \S{1,40} )is not (?:supported|available)`,
        String.raw`(?=\W*$|[^.\n]{0,12}\b(?:any|your)\b)`,
        0,
      ),
      /requested model[^.\n]{0,40}is not supported by any/i,
      /(?:unavailable|invalid|unknown|unsupported) model(?: name)?\s*[:(]/i,
      /(?:模型|\(model\)).{0,20}(?:停用|下线|下架|未激活|未开通|未启用|已关闭|停止服务|无可用渠道|暂未开放)/,
      /(?:未开通|暂未开通|无权(?:访问|使用|调用)?|没有权限(?:访问|使用|调用)?|暂未开放|未激活|无可用渠道).{0,15}(?:模型|\(model\))|\(model\)\s*权限/,
      near(
        any(String.raw`\bmodels?\b|deployment|\(model\)`),
        any(
          'does not exist|do not exist|not exist|not (?:be )?found|unknown|no longer|retired',
          'decommissioned|end of life|deprecated and|is not available|not a valid model',
        ),
        60,
      ),
      /\(model\) (?:is|was) not a valid/i,
      /model (?:identifier|id|name) .{0,20}(?:is )?(?:invalid|not valid|unknown|misspelled)/i,
      near(any('requested|specified|given|provided'), String.raw` model (?:is|was) ${unusable}`, 0),
      /\(model\)\W{1,3}is not (?:in the list|one of)/i,
      /(?:no such|unknown|invalid) (?:the )?(?:model\b(?! (?:output|response|param|option|setting|type)))/i,
      /unsupported (?:the )?(?:model\b(?! (?:output|response|param|option|setting|type)))/i,
      /(?:cannot find|could not find) (?:the )?(?:model\b(?! (?:output|response|param|option|setting|type)))/i,
      /(?:no such|unknown|invalid|unsupported|cannot find|could not find) (?:the )?(?:deployment|\(model\))/i,
      /no endpoints found for (?:the )?(?:model\b|\(model\))(?!.{0,60}\bsupport)/i,
      near(
        any(String.raw`\bnot?\b|n't|without|denied|cannot|unable`),
        String.raw` access (?:to )?(?:the |this )?(?:\w+ )?(?:models?\b|\(model\))`,
        40,
      ),
      /模型.{0,20}(?:不存在|找不到|未找到|已下线)|(?:不存在|找不到|未找到).{0,10}模型|(?:不支持的|无效的?|未知的?)模型(?!输出|参数|类型)/i,
      /모델 (?:식별자|이름|ID).{0,8}(?:잘못|유효하지)|(?:ungültige|unbekannte)\w* Modell(?!ausgabe|parameter)/i,
      /modello.{0,40}(?:non esiste|non trovato|sconosciut)|モデル.{0,60}(?:存在しません|見つかりません|存在しない)/i,
      /모델.{0,40}(?:찾을 수 없|존재하지 않)|модел\S*.{0,60}(?:не найден|не существует|неизвестн)/i,
      /Modell.{0,60}(?:nicht gefunden|existiert nicht|unbekannt|nicht verfügbar)/i,
      /modèle.{0,60}(?:introuvable|n'existe pas|inconnu|non trouvé)/i,
      /modelo.{0,60}(?:no existe|no encontrado|no se encontr|desconocido|não existe|não (?:foi )?encontrado)/i,
    ],
  },
  /** The input, or the input together with the output cap, does not fit. */
  contextLength: {
    codes: [
      /context_?(?:length|window|size)|prompt_?too_?long|max_?context|input_?too_?long|tokens_limit_reached/i,
      /string_above_max_length|(?:tokens|characters)_too_long|max_?prompt_?size|exceed_context|^(?:1261|10907)$/i,
    ],
    words: [
      /shorten (?:your|the) (?:messages?|prompt|input)|sequence length|字数.{0,4}(?:超限|超过|过长)/i,
      /(?:input|prompt|request|messages)\b[^.;\n]{0,20}\d+ tokens\b[^.;\n]{0,30}\b(?:more than|over|above)/i,
      /(?:输入|请求|对话)的?\s?(?:tokens?|长度)数?.{0,4}(?:超过|超出|超限)|超出最大\s?tokens?/i,
      /(?:prompt|input|messages?|conversation|request|tokens?)\b[^.\n]{0,30}\b(?:too long|longer than)/i,
      /max(?:imum)? input|longer than the (?:max\w*|model)|exceeds? the max\w* allowed length/i,
      /number of tokens (?:in|allowed)|reduce the length of the (?:messages|prompt|input)|model token limit/i,
      /max message tokens|prompt length/i,
      /(?:输入|提示词|提示|prompt|请求文本)(?:内容|长度|数量|总数|数)?\s{0,2}.{0,4}(?:过长|超长|超限|太长|超过上限|超过最大|超出最大|超出模型|超过模型)/i,
      /(?:请求|消息|消息内容|内容|文本)(?:内容|长度|数量|总数|数)?\s{0,2}.{0,4}(?:过长|超长|超限|太长|超过上限|超过最大|超出最大|超出模型|超过模型)/i,
      /(?:(?<!max[_ ]|completion[_ ])tokens?)(?:内容|长度|数量|总数|数)?\s{0,2}.{0,4}(?:过长|超长|超限|太长|超过上限|超过最大)/i,
      /(?:(?<!max[_ ]|completion[_ ])tokens?)(?:内容|长度|数量|总数|数)?\s{0,2}.{0,4}(?:超出最大|超出模型|超过模型)/i,
      /context[ _-]?(?:length|window|size|limit)|maximum context|exceeds? .{0,30}context/i,
      /(?:prompt|input|messages?) (?:is |are )?too (?:long|large)|too many (?:input )?tokens/i,
      /input[ _](?:tokens?|length)|'inputs'? tokens|'inputs' must have less|max_model_len|max_seq_len/i,
      /max_total_tokens|(?:prompt|input) length|token count .{0,40}exceed/i,
      /exceeds? the (?:maximum |max )?number of (?:input )?tokens/i,
      /(?:prompt|input)\b[^.\n]{0,40}\bexceeds?\b[^.\n]{0,40}\b(?:length|limit|max\w*)/i,
      /too large for .{0,30}(?:tokens|context)|(?:prompt|input) tokens (?:\+|and|plus) \W?max_/i,
      /\btokens? (?:\+|and|plus) (?:\d+ )?(?:the )?(?:prompt|input)\b/i,
      /max_\w*tokens\W{0,2}(?: \d+)? (?:\+|and|plus) (?:\d+ )?(?:the )?(?:prompt|input)/i,
      /\btokens?\b[^.\n]{0,80}\bcontext\b|\bcontext\b[^.\n]{0,80}\btokens?\b/i,
      near(
        String.raw`${any('prompt|input|request|messages')}\b`,
        String.raw`\d+ tokens\b[^.\n]{0,60}(?:maximum|limit|exceed|only|at most|allowed)`,
        40,
      ),
      /上下文|输入.{0,6}(?:长度|过长|超长)|コンテキスト|入力が長|컨텍스트|입력이 너무 (?:길|깁)|контекст/i,
      /(?:запрос|ввод)\S* слишком (?:длин|больш)|Kontext(?:länge|fenster|größe)/i,
      /(?:Eingabe|Prompt).{0,10}zu lang|(?:longueur|fenêtre|taille) (?:maximale )?(?:du |de )?(?:contexte)/i,
      /(?:invite|entrée).{0,20}trop long/i,
      /(?:ventana|longitud|tamaño|janela|comprimento|tamanho) (?:máxim[ao] )?(?:de |del |do )?contexto/i,
      /(?:entrada|prompt) .{0,10}(?:demasiado larg|muito long)/i,
    ],
  },
  /** The cap on the output is too large, or not known by that name. */
  outputCap: {
    params: /^max_(?:completion_|output_|new_)?tokens$/i,
    words: [/\bmax_(?:completion_|output_|new_)?tokens\b/i],
  },
  /** The choice, or that a call is forced. */
  toolChoice: {
    codes: [/tool_?choice/i],
    params: /tool[ _.-]?(?:choice|config)|function_?call(?:ing_?config)?$/i,
    words: [
      /(?:mandatory|requiring)\b[^.;\n]{0,20}\b(?:tool|function)[ _-]?(?:use|call\w*)/i,
      /(?:tool|function)[ _-]?(?:use|calls?|calling)\b[^.;\n]{0,20}\b(?:cannot|can't|not) be (?:required|forced|mandatory)/i,
      /\bforc(?:e|ed|es|ing)\b[^.\n]{0,40}\b(?:tool|function)s?\b/i,
      /\b(?:tool|function)s?\b[^.\n]{0,30}\b(?:be )?forced\b|function calling mode (?:any|none|auto)/i,
      /强制(?:指定|调用|使用)?.{0,6}(?:工具|函数)|指定(?:工具|函数)|\btool[ _-]?(?:choice|config)/i,
      /function[ _-]?calling[ _-]?config/i,
    ],
  },
  thinking: {
    words: [
      /thinking|\breasoning\b|思考|推理模式|推理过程|\bDenk|réflexion|raisonnement|mode pensée|razonamiento|pensamiento/i,
      /raciocínio|pensamento|推論|추론|사고 모드|рассужд|размышл|мышлен/i,
    ],
  },
  responseFormat: {
    codes: [/response_?format|structured_?output|json_?mode/i],
    params: /response[ _-]?(?:format|schema|mime)|text\.format/i,
    words: [
      /response[ _-]?format|json[ _-]?(?:mode|output|schema|object|format)\b|guided[ _-]decoding/i,
      /structured[ _-]?output|response[ _-]?(?:mime[ _-]?type|schema)|\btype: input should be 'text'|结构化输出/i,
      /JSON ?模式|strukturierte Ausgabe|sortie structurée|salida estructurada|saída estruturada|構造化出力|구조화된 출력/i,
      /структурированн\S* (?:вывод|ответ)/i,
    ],
  },
  jsonWord: {
    words: [
      near(inMessages, String.raw`${contains}[^.\n]{0,40}${wordJson}`, 80),
      near(String.raw`${wordJson}[^.\n]{0,40}${contains}`, inMessages, 80),
      near(
        any(String.raw`\bword|Wort\b|\bmot\b|palabra|palavra|parola|слов[оа]|단어|単語|字样|单词|一词`),
        String.raw`\W{0,8}${wordJson}`,
        0,
      ),
      /\bjson\b(?![ _-]?(?:schema|object))\W{0,3}(?:という|이라는|라는)?\W{0,3}(?:word\b|Wort\b|単語|단어|字样|单词|一词)/i,
    ],
  },
  /** Proof that a schema was read and refused: a path into it, or a sentence about its form. */
  schemaItself: {
    codes: [
      /invalid_?(?:json_?)?schema|invalid_?function_?parameters/i,
      /schema_(?:error|invalid|not_supported|validation|too)|unsupported_?schema/i,
    ],
    params:
      /json_schema\.schema|\.parameters\b|input_?schema|function_?declarations\S*parameters|^(?:response_?)?schema\b|#\//i,
    words: [
      /input_?schema\b|(?:function|tools?|functions?|declarations?)\S*\.parameters|parameters\.properties/i,
      /invalid (?:json[ _-]?)?schema for|(?:parameters|arguments)'? schema\b|property schema/i,
      /schema didn't specify|schema type field|json_schema\.schema|in context=\(/i,
    ],
  },
  schema: {
    words: [
      /#(?:\/|:)|\$(?:ref|defs|schema|id)\b/i,
      /\b(?:additionalProperties|unevaluated\w+|patternProperties|propertyNames)\b/i,
      /\b(?:prefixItems|(?:min|max)(?:Items|Length|Properties|Contains))\b/i,
      /\b(?:exclusiveM\w+|multipleOf|anyOf|oneOf|allOf|uniqueItems|dependent[A-Z]\w+|contentEncoding)\b/i,
      /\bgrammar|\boutlines\b|llguidance|xgrammar|levels? of nesting|nesting (?:depth|level)|too many states/i,
      /\bFSM\b|\benum values\b[^.\n]{0,40}(?:exceed|in total|limit)|every property (?:needs|must)/i,
      /unrecognized type|could not understand the instance|function_?declarations|'required' is required/i,
      /schema[ -]?(?:fields?|keywords?|keys?|features?|error|conversion|contains)/i,
      /schema[ -]?(?:depth|definitions?|nesting|compilation|validation)/i,
      /(?:invalid|malformed|unsupported|bad)(?: [\w']+)? (?:json[ _-]?)?schema/i,
      near(
        any('unsupported|invalid|unknown|not (?:supported|allowed|valid)'),
        String.raw`\b(?:in|of|within) (?:the |your |this )?(?:json )?schema\b`,
        40,
      ),
      /(?:pars|compil|convert|translat|process)\w*[ _](?:the |your )?(?:json[ _])?schema/i,
      near(
        String.raw`(?:this|the|your|provided|specified|given|response|output|tool|function) (?:json )?schema\b`,
        any('not supported|unsupported|not allowed|must|should'),
        60,
      ),
      near(
        String.raw`schema\b `,
        any(
          'is invalid|not valid|malformed|too (?:deep|large|complex|many)|exceeds|could not be',
          String.raw`\d+ (?:properties|levels|enum)|may not|cannot`,
        ),
        50,
      ),
      /not a valid .{0,40}schema|\bschemas? (?:is|are) not\b|strict schema|too complex.{0,30}schema/i,
      near(
        any('unsupported|unknown|invalid|forbidden|disallowed|unimplemented'),
        String.raw` (?:json[ -]?schema |schema )?(?:keywords?|keys?|pattern|regex)\b`,
        0,
      ),
      /keywords?\b.{0,30}(?:not (?:supported|permitted|allowed)|unsupported)/i,
      /recursi(?:ve|on)\b.{0,40}(?:schema|ref|definition|type|not (?:supported|allowed|permitted))/i,
      /(?:circular|cyclic) (?:ref|schema|definition)/i,
      /Schema.{0,30}(?:ungültig|fehlerhaft|nicht unterstützt|zu (?:tief|groß|komplex))/i,
      /ungültige[sn]? (?:JSON-)?Schema|schéma.{0,40}(?:invalide|non valide|non pris en charge|trop|dépasse)/i,
      near(
        any('esquema|schema'),
        any('no es válido|no válido|inválido|no admitid|não (?:é )?(?:válido|suportad)|demasiado|muito'),
        30,
      ),
      /无效的.{0,12}(?:schema|模式)|schema.{0,12}(?:无效|不合法|错误|非法|不支持|过深|过大|嵌套|关键字)/i,
      /スキーマ.{0,20}(?:無効|不正|エラー|サポートされ|対応し|深すぎ|深さ|上限)|스키마.{0,30}(?:유효하지|잘못|지원|올바르지|너무)/i,
      /схем\S*.{0,40}(?:недейств|неверн|некоррект|не поддерж|слишком)/i,
      /(?:недейств|неверн|некоррект)\S* (?:JSON[- ])?схем/i,
    ],
  },
  /** A member that stands where the service does not know it, or that is missing. */
  strayMember: {
    codes: [
      /unknown_?(?:parameter|field|argument|name)|unrecogni[sz]ed|extra_forbidden|unexpected_(?:field|keyword)/i,
      /missing_?(?:required_?)?parameter|^missing$/i,
    ],
    words: [
      /additional propert(?:y|ies) (?:is|are) not allowed|extra (?:inputs?|fields?|properties)/i,
      /(?:unknown|unexpected|unrecogni[sz]ed) (?:request )?(?:parameter|field|name|argument)/i,
      /(?:unknown|unexpected|unrecogni[sz]ed) (?:request )?(?:member|key|property)/i,
      /missing required (?:parameter|field|property)|was unexpected|is not a member of/i,
      /(?:is |are )not (?:expected|recogni[sz]ed|a known)|(?:未知|多余)的?(?:参数|字段)/i,
      /unbekannte[rs]? (?:Parameter|Feld)|(?:paramètre|champ) inconnu|(?:parámetro|campo) desconocido/i,
      /неизвестн\S* (?:параметр|поле)|不明な(?:パラメータ|フィールド)|알 수 없는 (?:매개변수|필드)/i,
    ],
  },
  invalidRequest: {
    codes: [
      /^(?:invalid_?(?:request|parameter|param|argument|value|type)\w*|bad_?request\w*|invalid_?argument)$/i,
      /^(?:unsupported_?(?:parameter|value)\w*|missing_?(?:required_?)?parameter)$/i,
      /^(?:unprocessable\w*|value_error|type_error|validation_?error|extra_forbidden)$/i,
      /^(?:wrong_api_format|1210|1213|1214|1215|2013|20015)$/i,
    ],
  },
} as const satisfies Record<string, ErrorPattern>;
