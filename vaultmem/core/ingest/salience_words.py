"""What people say without asserting anything, in the languages the gate understands. Data only.

Classes: `accept` and `reject` answer (and count as an assertion after a question), `ack` thanks, laughs or takes note,
`greet` opens and closes, `command` drives a machine, `filler` says nothing beside one of the others and is never enough
by itself. A turn counts as empty only when ALL of it is made of these phrases. Decisions ("approved", "cancel it",
"ship it") are in no list. Spelling is normalised by `salience`: case, accents of Latin letters, apostrophes, stretched
letters ("yesss").
"""

from __future__ import annotations

ACCEPT = """
yes; yeah; yea; yep; yup; ya; ok; okay; okey; oki; okie; okey dokey; k; kk; okk; sure; sure thing; of course;
absolutely; definitely; certainly; indeed; right; exactly; correct; true; deal; agree; fine; fine by me; fine with me;
works for me; that works; works; sounds good; sounds great; sounds good to me; sounds like a plan; sg; lgtm; aye;
alright; all right; roger; yes please; done; for sure; totally; no problem; np; no worries; will do; on it; +1; y;
affirmative; good with me; go ahead; please go ahead; proceed;
ja; jo; jep; jup; jawohl; klar; na klar; alles klar; klaro; gerne; gern; sicher; natürlich;
genau; stimmt; richtig; passt; passt mir; einverstanden; in ordnung; geht klar; mach ich; okidoki; ja bitte; gut;
sehr gerne; ja gerne; aber sicher; eben; oui; ouais; ouaip; d'accord; dac; daccord; bien sûr; bien entendu; ça marche;
ça roule; entendu; parfait; avec plaisir; volontiers; exact; exactement; tout à fait; pas de problème; pas de souci;
c'est bon; oui oui; bah oui; ça me va; sí; si claro; claro; claro que sí; vale; de acuerdo; por supuesto; perfecto;
dale; bueno; está bien; correcto; exacto; desde luego; cómo no; venga; listo; sale; órale; okis; eso es;
me parece bien; sin problema; no hay problema; sim; claro que sim; com certeza; combinado; beleza; blz; tá bom; ta; tá;
está bem; pode ser; certo; certinho; fechado; isso; isso mesmo; exatamente; perfeito; concordo; sem problemas;
pode crer; tá certo; uhum; aham; bora; sì; certo; certamente; va bene; d'accordo; perfetto; certo che sì; ok va bene;
volentieri; esatto; esattamente; giusto; naturalmente; come no; si dai; ci sto; nessun problema; certo certo; ja hoor;
prima; goed; is goed; oké; zeker; natuurlijk; klopt; akkoord; graag; ja graag; komt goed; doe ik; precies;
geen probleem; jazeker; dat klopt; helemaal goed; juist; tak; no; jasne; dobra; dobrze; oczywiście; pewnie; zgoda;
racja; dokładnie; w porządku; spoko; spoczko; luz; nie ma problemu; nie ma sprawy; oki doki; no pewnie; git;
zgadzam się; да; ага; угу; ок; окей; хорошо; ладно; конечно; точно; верно; правильно; согласен; согласна; договорились;
понял понял; без проблем; не вопрос; давай; давайте; идет; идёт; отлично; разумеется; именно; да да; ну да; хор; лады;
норм; угу да; так; добре; звичайно; гаразд; згоден; згодна; домовились; evet; tamam; tamamdır; olur; tabii; tabi;
tabii ki; elbette; peki; aynen; doğru; kesinlikle; kabul; sorun değil; he; aynen öyle; tamam olur; anlaştık; 好; 好的;
好啊; 好吧; 好滴; 好哒; 好嘞; 好呀; 行; 行吧; 行啊; 可以; 可以的; 可以啊; 没问题; 沒問題; 是; 是的; 是啊; 对; 对的;
对啊; 對; 對啊; 嗯; 嗯嗯; 嗯好; 恩; 恩恩; 当然; 當然; 当然可以; 同意; 没错; 確實; 确实; ok的; 必须的; 中; 成; 要得;
就这样; 就這樣; 是吧; はい; はーい; うん; うんうん; ええ; そう; そうです; そうですね; そうだね; そうね; オッケー;
オーケー; おk; おけ; もちろん; いいよ; いいですよ; いいね; いいですね; 大丈夫; 大丈夫です; 了解; 了解です;
了解しました; 了解いたしました; りょ; りょうかい; わかりました; 分かりました; わかった; 分かった; 承知しました;
承知いたしました; 承知です; かしこまりました; 問題ありません; 問題ないです; たしかに; 確かに; その通り; その通りです;
賛成; ぜひ; 네; 넵; 넹; 네네; 넵넵; 예; 응; 응응; 어; 엉; 그래; 그래요; 그럼; 그럼요; 좋아; 좋아요; 좋습니다;
알겠습니다; 알겠어요; 알았어; 알았어요; 알았다; 오케이; 오키; 오케; ㅇㅇ; ㅇㅋ; ㄱㄱ; 맞아; 맞아요; 맞습니다; 물론;
물론이죠; 당연하지; 당연하죠; 문제없어요; 동의합니다; 콜; 옙; 네 알겠습니다; 네 좋아요; نعم; أيوه; ايوه; ايوا; أيوا;
اه; آه; أجل; حسنا; حسناً; طيب; تمام; تمام التمام; أوكي; اوكي; اوك; أكيد; اكيد; طبعا; طبعاً; بالتأكيد; بالتاكيد; صحيح;
صح; موافق; موافقة; ماشي; لا مشكلة; مافي مشكلة; إن شاء الله; ان شاء الله; بالطبع; على راسي; حاضر; हाँ; हां; हा; जी;
जी हाँ; जी हां; हाँ जी; हां जी; ठीक; ठीक है; ठीक है जी; अच्छा; अच्छा ठीक है; बिल्कुल; ज़रूर; जरूर; सही; सही है;
सही बात है; बिलकुल; हम्म; ओके; कोई बात नहीं; हो जाएगा; haan; haan ji; theek hai; thik hai; accha; acha; ji; bilkul;
sahi hai; hanji; כן; בסדר; אוקיי; בטח; ברור; סבבה; نعم تمام; ναι; εντάξει; οκ; φυσικά; βέβαια; kyllä; joo; juu; selvä;
okei; totta kai; ja visst; visst; självklart; jepp; jada; selvfølgelig; jo tak; ano; jo jo; jasně; dobře; jistě; da;
bine; sigur; desigur; igen; persze; jó; rendben; vâng; dạ; ừ; được; đồng ý; ừm; iya; ya baik; baik; oke; siap; betul;
setuju; ครับ; ค่ะ; คะ; ใช่; ได้; โอเค; ตกลง; ได้ครับ; ได้ค่ะ; ใช่ครับ; ใช่ค่ะ; بله; باشه; آره; چشم; حتما; جی; جی ہاں;
ٹھیک ہے; okej; visst det; javisst; absolut; självklart det; det går bra; funkar; okay då; gärna; ja tack; oks; ок да;
добре так; авжеж; аякже; домовилися; згода; 行的; 可以呀; 没问题的; いいっすよ; おっけー; おっけ; 오케이요; 좋죠;
그럽시다; تمام كده; ماشي تمام; खुशी से; thik h; हाँ ठीक है; jasna sprawa; spoko loko; olur tabii; vabbè; ok dai;
tranqui; sipi; ta bom; suave; fechou; mam; mam to; received; recebi; recebida; aldım; получил; получила; reçu;
bien reçue; recibida; ricevuta; ricevuti; ontvangen; otrzymałem; otrzymałam; отримав; отримала; mottaget; erhalten;
รับทราบ; รับทราบครับ; รับทราบค่ะ;
받았어요; 받았습니다; 잘 받았습니다; 已收到; وصلني; استلمت; मिल गई; मिल गया; मिला; 拝見しました; 確認しました;
"""

REJECT = """
no; nope; nah; no way; not really; no thanks; no thank you; never; never mind; nevermind; nvm; -1; n; negative;
not now; i don't think so; nein; nee; nö; ne; nein danke; auf keinen fall; lieber nicht; eher nicht; non; nan;
non merci; pas vraiment; pas du tout; jamais; que no; claro que no; no gracias; para nada; nunca; não; nao; nada;
não obrigado; não obrigada; de jeito nenhum; no grazie; mai; assolutamente no; neen; nee dank je; nee bedankt; nooit;
nie; nie dziękuję; нет; неа; не; нет спасибо; никогда; ни за что; ні; hayır; yok; olmaz; hayır teşekkürler; 不; 不是;
不行; 不用; 不用了; 不要; 不好; 没有; 沒有; 别; 不对; 不可以; 算了; いいえ; いや; ううん; いえ; いえいえ; だめ; ダメ;
違う; 違います; 結構です; 아니; 아니요; 아니오; 아뇨; 안돼; 안 돼; 싫어; 괜찮아요; 됐어; 됐어요; ㄴㄴ; لا; لأ; كلا;
لا شكرا; لا شكراً; أبدا; ابدا; नहीं; नही; ना; जी नहीं; नहीं धन्यवाद; कभी नहीं; nahi; nahin; לא; όχι; ei; nej; nei;
ne děkuji; nu; nem; không; tidak; bukan; nggak; ไม่; ไม่ครับ; ไม่ค่ะ; نه; خیر; نہیں; nej tack; ні дякую; better not;
rather not; lieber nein; surtout pas; mejor no; melhor não; meglio di no; liever niet; lepiej nie; лучше не надо;
не надо; gerek yok; 还是算了; やめておきます; 별로; لا داعي; रहने दो;
"""

COMMAND = """
help; commands; quit; exit; continue; go on; carry on; keep going; next; next one; next step;
with the next step; continue with the next step; proceed with the next step; stop; wait; one moment; one sec;
one second; sec; a sec; hold on; hang on; just a moment; brb; afk; back; i'm back; try again; again; retry; repeat;
redo; undo; more; show more; tell me more; menu; start; reset; restart; clear; refresh; ping; test; testing; list;
status; run; run it; q; :q; :wq; why; how; when; who; where; weiter; mach weiter; weiter so; fortfahren; stopp; halt;
warte; moment; einen moment; moment mal; nochmal; noch mal; nochmals; hilfe; mehr; suivant; arrête; attends; encore;
aide; plus; un moment; une seconde; continúa; continua; sigue; siguiente; para; espera; un momento; otra vez; ayuda;
más; próximo; seguinte; espera aí; de novo; ajuda; mais; um momento; continuar; avanti; prossimo; aspetta; un attimo;
ancora; aiuto; di più; ga door; ga verder; volgende; wacht; wacht even; opnieuw; nog een keer; meer; dalej; kontynuuj;
następny; czekaj; chwila; moment; jeszcze raz; pomoc; więcej; дальше; продолжай; продолжайте; стоп; подожди; подождите;
минутку; секунду; еще; ещё; еще раз; ещё раз; помощь; след; devam; devam et; dur; bekle; bir dakika; bir saniye;
tekrar; yardım; sonraki; 继续; 繼續; 下一个; 下一步; 停; 等等; 等一下; 稍等; 等下; 再来一次; 再试一次; 帮助; 续;
続けて; 続けてください; 続き; 次; 次へ; 待って; ちょっと待って; ちょっと待ってください; 少々お待ちください; ストップ;
もう一度; もう一回; ヘルプ; 계속; 계속해; 계속해줘; 계속해주세요; 다음; 잠깐; 잠깐만; 잠깐만요; 잠시만요; 기다려; 멈춰;
다시; 한번 더; 도와줘; أكمل; اكمل; استمر; التالي; توقف; انتظر; لحظة; مرة أخرى; مساعدة; जारी रखो; जारी रखें; आगे;
आगे बढ़ो; रुको; रुकिए; एक मिनट; फिर से; मदद; और; anyone there; anybody there; anyone here; is anyone there; you there;
are you there; are you here; hello anyone; let me think; let me see; just a sec; just a minute; gimme a sec;
give me a sec; give me a minute; bear with me; one min; a minute; moment please; thinking; loading; checking;
just checking in; jemand da; ist jemand da; ist wer da; bist du da; seid ihr da; sekunde; kleinen moment; momentchen;
augenblick; einen augenblick; kurz warten; bin gleich wieder da; lass mich überlegen; bitte weiter; y'a quelqu'un;
il y a quelqu'un; quelqu'un est là; t'es là; tu es là; vous êtes là; un instant; deux secondes; attends 2 sec;
attends deux secondes; minute; une minute; je réfléchis; vas-y; vas-y continue; hay alguien; hay alguien ahí;
alguien ahí; estás ahí; un segundo; un minuto; un momentito; un ratito; dame un segundo; dame un momento; a ver;
déjame pensar; ahora vuelvo; tem alguém aí; alguém aí; tá aí; você está aí; um segundo; um minuto; um minutinho;
um instante; peraí; pera aí; deixa eu ver; deixa eu pensar; já volto; pode continuar; c'è qualcuno; qualcuno c'è;
ci sei; ci siete; un attimo solo; un secondo; un attimino; fammi pensare; fammi vedere; torno subito; vai avanti;
continua pure; aspè; is er iemand; iemand daar; ben je daar; ben je er; zijn jullie er; momentje; een moment;
een momentje; ogenblikje; seconde; secondje; even denken; even wachten; even kijken; ga maar door; jest tu ktoś;
jest ktoś; ktoś jest; jesteś tam; halo; chwilka; chwileczkę; momencik; sekunda; sekundka; minutka; minutkę;
niech pomyślę; zaraz wracam; czekaj chwilę; есть кто; есть кто живой; кто-нибудь есть; кто здесь; ты здесь; ты тут;
вы тут; секундочку; сек; минуту; минуточку; момент; дай подумать; надо подумать; алло; але; ау; є хто; ти тут;
хвилинку; хвилиночку; зачекай; зачекайте; продовжуй; далі; kimse var mı; orada mısın; burada mısın; bi saniye;
bi dakika; bir sn; bi sn; bir dk; az bekle; biraz bekle; bekle biraz; bekleyin; bir düşüneyim; düşüneyim;
hemen dönerim; alo; 有人吗; 有人在吗; 人呢; 在不在; 在不; 稍等一下; 稍等下; 等我一下; 等会; 等会儿; 我想想; 让我想想;
喂; 有人嗎; 请稍等; 请继续; 接着说; 往下; 誰かいますか; 誰かいる; 少し待って; 少し待ってください; 少々お待ちを; 考え中;
ちょい待ち; ちょっとまって; 今確認します; えっと; つづけて; 누구 있어요; 누구 있어; 아무도 없어요; 계세요; 잠시만;
잠시; 잠깐만 기다려; 잠시만 기다려주세요; 조금만 기다려주세요; 생각 좀; 확인해볼게요; 곧 돌아올게; 기다려주세요;
في أحد هنا; في احد هنا; في حد; هل من أحد; أحد هنا; حد هنا; انت هنا; أنت هنا; وينك; فينك; لحظة من فضلك; لحظات; ثواني;
ثانية; دقيقة; دقيقة من فضلك; استنى; اصبر; خليني أفكر; أفكر; كمل; كملي; واصل; الو; ألو; कोई है; कोई है क्या;
क्या कोई है; हो क्या; एक मिनट रुको; एक सेकंड; ज़रा रुको; थोड़ा रुको; सोचने दो; देखता हूँ; अभी आया; ruko; ek minute;
ek min; koi hai; aage badho; chalu rakho; någon där; är någon där; är du där; vänta; vänta lite; ett ögonblick;
en sekund; fortsätt; nästa; hjälp; igen; öh;
"""

FILLER = """
so; very; much; a lot; too; then; now; all; everyone; everybody; guys; folks; team; man; bro; dude; mate; buddy; dear;
sir; madam; again; just; really; and; but; well; oh; ah; the; that; it; is; to; me; for; of; you; u; love; honey; babe;
friend; friends; there; here; today; also; still; as well; for that; for this; for your help; for the help;
for everything; for the info; for the update; for sharing; for letting me know; in advance; indeed; please; pls; lah;
la; ma; da; doch; mal; dann; so weit; sehr; auch; euch; dir; ihnen; alle; zusammen; leute; schon; noch; und; aber;
mein; meine; lieber; liebe; für alles; im voraus; für die info; für die hilfe; beaucoup; bien; alors; donc; et; à tous;
tout le monde; les gars; mon; ma; ami; amie; chef; très; pour tout; pour l'info; muy; mucho; muchas; pues; entonces; y;
a todos; todos; chicos; amigo; amiga; hermano; tío; por todo; por la info; muito; então; e; gente; pessoal; galera;
cara; mano; amigo; por tudo; molto; allora; a tutti; tutti; ragazzi; caro; cara; di tutto; heel; erg; dan; en;
allemaal; jongens; hoor; bardzo; to; wszystkim; wszyscy; stary; очень; тогда; и; всем; ребята; друг; дорогой; дорогая;
ну; вот; за все; çok; o zaman; ve; herkese; arkadaşlar; abi; hocam; canım; kardeşim; 啊; 呀; 啦; 了; 吧; 哦; 呢; 哈;
的; 嘛; 哟; 喔; 噢; 哇; 亲; 大家; 老师; 各位; です; ですね; ね; よ; な; さん; みんな; 皆さん; とても; 本当に; どうも;
요; 정말; 진짜; 너무; 다들; 여러분; 님; 형; 언니; 오빠; جدا; جداً; يا; أخي; اخي; حبيبي; حبيبتي; صديقي; للجميع; جميعا;
كثيرا; बहुत; जी; भाई; यार; दोस्त; सब; सबको; तो; भैया; bhai; yaar; ji; what; how; a; such; your; both; brother; sis;
sister; bestie; hun; my; xx; x; too much; over there; que; qué; ay; uy; che; troppo; trop; ah bon; wie; total; mega;
liebes; schatz; ihr; ihr lieben; ihr beiden; allerseits; alle miteinander; jungs; mädels; wat; joh; hè; jak; o; oj;
tak bardzo; kochani; kochana; kochany; как; какая; какой; какие; такая; оч; так; ой; дорогие; девочки; мальчики;
родной; друзі; усім; усі; всі; дуже; як; çok çok; canlarım; aşkım; abla; kanka; tatlım; arkadaşım; grupo; grupinho;
irmão; irmã; querida; querido; queridos; amor; amore; tesoro; cari; care; famiglia; famille; chéri; chérie; toi; vous;
mes amis; les amis; ma belle; familia; cariño; corazón; guapa; guapo; hermana; tía; vad; så; jätte; allihop;
allesammans; er; hörni; mycket; snälla; 真; 太; 好; 真是; 亲爱的; 宝贝; 同学们; 朋友们; みなさん; みなさま; 皆様;
ほんとう; めっちゃ; マジで; 진짜로; 완전; 우리; 선생님; 모두; 많이; 쌤; لكم; لك; لكي; الجميع; يا جماعة; شباب; اخواني;
إخواني; عزيزي; عزيزتي; حبايبي; اوي; أوي; قوي; दोस्तों; दोस्तो; भाइयों; सभी; सभी को; लोगों; आप सबको; दीदी; बहन; मेरे;
आपका; आपको; आप; dost; didi;
"""

#: Laughter of any length, as one token.
LAUGHS = (
    r"(?:[hx]+[aeiou]+){2,}h?|a*(?:ha){2,}h?|(?:ja|je|ji){2,}j?|k{3,}|w{2,}|(?:wk){2,}w?|(?:rs){2,}|lo+l+|r?o?fl+|x+d+"
    r"|а*(?:х+[аеиоэы]+){2,}х*|[ыъ]{2,}|а?х{2,}"
    r"|哈{2,}|呵{2,}|嘿{2,}|嘻{2,}|[ㅋㅎㅠㅜ]+|ه{2,}|ח{2,}|(?:खी|ही|हा){2,}|草+|笑+|h+m+|m{2,}|a+h+|o+h+|u+h+"
)

#: A message that stands for something the export left out: media, deleted text, calls. Whole turn, folded.
PLACEHOLDERS = """
media omitted; image omitted; video omitted; audio omitted; sticker omitted; gif omitted; document omitted;
contact card omitted; video note omitted; photo omitted; this message was deleted; you deleted this message;
message deleted; this message was edited; missed voice call; missed video call; missed call; null;
medien ausgeschlossen; medien weggelassen; bild weggelassen; video weggelassen; audio weggelassen;
sticker weggelassen; gif weggelassen; dokument weggelassen; diese nachricht wurde gelöscht;
du hast diese nachricht gelöscht; verpasster sprachanruf; verpasster videoanruf; médias omis; image absente;
vidéo absente; audio omis; sticker omis; gif retiré; ce message a été supprimé; vous avez supprimé ce message;
multimedia omitido; imagen omitida; video omitido; audio omitido; sticker omitido; gif omitido; archivo omitido;
se eliminó este mensaje; eliminaste este mensaje; este mensaje fue eliminado; llamada perdida; mídia oculta;
arquivo de mídia oculto; ficheiro não revelado; imagem ocultada; vídeo omitido; áudio ocultado; figurinha omitida;
mensagem apagada; esta mensagem foi apagada; você apagou esta mensagem; media omessi; media omesso; immagine omessa;
video omesso; audio omesso; sticker non incluso; questo messaggio è stato eliminato; hai eliminato questo messaggio;
media weggelaten; afbeelding weggelaten; video weggelaten; audio weggelaten; sticker weggelaten;
dit bericht is verwijderd; je hebt dit bericht verwijderd; pominięto multimedia; obraz pominięty;
ta wiadomość została usunięta; usunięto tę wiadomość; usunąłeś tę wiadomość; без медиафайлов; файл пропущен;
изображение пропущено; видео пропущено; аудиофайл пропущен; стикер пропущен; данное сообщение удалено;
вы удалили данное сообщение; сообщение удалено; medya dahil edilmedi; görüntü dahil edilmedi; video dahil edilmedi;
bu mesaj silindi; bu mesajı sildiniz; 省略多媒体文件; 多媒体文件已略去; 媒體已略去; 图像已忽略; 影像省略; 視訊省略;
此消息已被删除; 您删除了这条消息; 此訊息已刪除; メディアは含まれていません; メディア省略; 画像は含まれていません;
動画は含まれていません; このメッセージは削除されました; メッセージの送信を取り消しました;
미디어 파일을 제외한 대화내용; 미디어 파일 제외됨; 사진 생략; 동영상 생략; 삭제된 메시지입니다; 사진; 동영상;
이모티콘; تم استبعاد الوسائط; تم حذف هذه الرسالة; حذفت هذه الرسالة; الصورة غير مدرجة; मीडिया छोड़ा गया;
मीडिया के बिना; यह संदेश मिटा दिया गया; आपने यह संदेश मिटाया; यह मैसेज मिटाया गया;
"""

#: First words and endings of a question or a proposal, for turns without a question mark (folded, accents off).
ASKS = (
    r"^(?:shall|should|can|could|would|will|do|does|did|are|is|was|were|have|has|may|who|what|when|where|why"
    r"|which|how"
    r"|any(?:one|body)|let'?s|lets|how about|what about|why don'?t|i (?:suggest|propose)|we (?:could|should)"
    r"|proposal|want to|wanna|ready to|ok to|ok if"
    r"|sollen|soll|wollen|willst|kannst|konnen|konnt|darf|wer|was|wann|wo|warum|wie|welche"
    r"|lass uns|lasst uns|ich schlage|vorschlag"
    r"|est-ce|on y va|veux-tu|peux-tu|pouvez|voulez|qui|quand|comment|pourquoi|je propose|si on|on pourrait"
    r"|quieres|puedes|podemos|vamos|que tal si|cuando|donde|quien|propongo|quer|pode|podemos|quando|onde"
    r"|proponho|vuoi|puoi|possiamo"
    r"|ich (?:kann|konnte|konnten)|wir (?:konnen|konnten|sollten)|magst|mochtest|hast|habt|bist|seid|gibt|wohin|wen|wem"
    r"|je (?:peux|pourrais)|tu (?:peux|veux)|on peut|vous (?:pouvez|voulez)|ca te dit|et si|faut-il|dois-je|ou est"
    r"|puedo|podriamos|podria|te parece|debo|cual|como|por que|por qual|posso|devo|bora|qual|que tal|poderiamos"
    r"|posso|potremmo|ti va|e se|che ne dici|devo|chi|quando|come|facciamo|zal|moet|mag|laten we|ik kan"
    r"|we kunnen|wie|wat"
    r"|mam|moge|mozemy|moze|chcesz|co powiesz|zrobmy|kto|co|jak|gdzie|ktory|поедем|пойдем|могу|сможешь|хочешь|будем"
    r"|нужно ли|надо ли|а если|как|куда|чи|може|можемо|можеш|давай|коли|де|хто|що|vill|ska|har|nar|var|vem|vad|hur"
    r"|vi kan"
    r"|jag kan|skulle|ما رأيك|ممكن|خلينا|لو|كيف|ماذا|ليش|وين|शुरू|चलो|चलें|कहां|कैसे|किस"
    r"|andiamo|dove|propongo|zullen|wil|kun|kan|wanneer|waar|czy|kiedy|gdzie|proponuje|давай|давайте|может|можно"
    r"|когда|где|кто|что"
    r"|предлагаю|هل|متى|أين|من|क्या|कब|कहाँ|कौन)(?![\w])"
    r"|(?:吗|嗎|么|呢|吧|好不好|行不行|怎么样|怎麼樣|か|かな|でしょう|ましょう|까|까요|나요|니|자|ですか|ますか"
    r"|ませんか|ようか|しよう|どう|래|을까|죠|할게|mi|mı|mu|mü|misin|mısın|\w{2}(?:alim|elim))$"
    r"|^(?:咱|要不|不如|不然|可以|谁|誰|哪|什么|什麼|どう|いつ|どこ|何)"
    r"|要不要|能不能|想不想|是不是|可不可以|好不好|行不行|如何|怎么样|提议|建议"
)
