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
absolutely; definitely; certainly; indeed; right; exactly; correct; true; deal; agree; fine; fine by me;
fine with me; works for me; that works; works; sounds good; sounds great; sounds good to me; sounds like a plan; sg;
lgtm; aye; alright; all right; roger; yes please; done; for sure; totally; no problem; np; no worries; will do;
on it; +1; y; affirmative; good with me;
ja; jo; jep; jup; jawohl; klar; na klar; alles klar; klaro; gerne; gern; sicher; natürlich; genau; stimmt; richtig;
passt; passt mir; einverstanden; in ordnung; geht klar; mach ich; okidoki; ja bitte; gut; sehr gerne; ja gerne;
aber sicher; eben;
oui; ouais; ouaip; d'accord; dac; daccord; bien sûr; bien entendu; ça marche; ça roule; entendu; parfait;
avec plaisir; volontiers; exact; exactement; tout à fait; pas de problème; pas de souci; c'est bon; oui oui;
bah oui; ça me va;
sí; si claro; claro; claro que sí; vale; de acuerdo; por supuesto; perfecto; dale; bueno; está bien; correcto;
exacto; desde luego; cómo no; venga; listo; sale; órale; okis; eso es; me parece bien; sin problema;
no hay problema;
sim; claro que sim; com certeza; combinado; beleza; blz; tá bom; ta; tá; está bem; pode ser; certo; certinho;
fechado; isso; isso mesmo; exatamente; perfeito; concordo; sem problemas; pode crer; tá certo; uhum; aham; bora;
sì; certo; certamente; va bene; d'accordo; perfetto; certo che sì; ok va bene; volentieri; esatto; esattamente;
giusto; naturalmente; come no; si dai; ci sto; nessun problema; certo certo;
ja hoor; prima; goed; is goed; oké; zeker; natuurlijk; klopt; akkoord; graag; ja graag; komt goed; doe ik; precies;
geen probleem; jazeker; dat klopt; helemaal goed; juist;
tak; no; jasne; dobra; dobrze; oczywiście; pewnie; zgoda; racja; dokładnie; w porządku; spoko; spoczko; luz;
nie ma problemu; nie ma sprawy; oki doki; no pewnie; git; zgadzam się;
да; ага; угу; ок; окей; хорошо; ладно; конечно; точно; верно; правильно; согласен; согласна; договорились;
понял понял; без проблем; не вопрос; давай; давайте; идет; идёт; отлично; разумеется; именно; да да; ну да; хор;
лады; норм; угу да;
так; добре; звичайно; гаразд; згоден; згодна; домовились;
evet; tamam; tamamdır; olur; tabii; tabi; tabii ki; elbette; peki; aynen; doğru; kesinlikle; kabul; sorun değil; he;
aynen öyle; tamam olur; anlaştık;
好; 好的; 好啊; 好吧; 好滴; 好哒; 好嘞; 好呀; 行; 行吧; 行啊; 可以; 可以的; 可以啊; 没问题; 沒問題; 是; 是的; 是啊;
对; 对的; 对啊; 對; 對啊; 嗯; 嗯嗯; 嗯好; 恩; 恩恩; 当然; 當然; 当然可以; 同意; 没错; 確實; 确实; ok的; 必须的; 中;
成; 要得; 就这样; 就這樣; 是吧;
はい; はーい; うん; うんうん; ええ; そう; そうです; そうですね; そうだね; そうね; オッケー; オーケー; おk; おけ;
もちろん; いいよ; いいですよ; いいね; いいですね; 大丈夫; 大丈夫です; 了解; 了解です; 了解しました;
了解いたしました; りょ; りょうかい; わかりました; 分かりました; わかった; 分かった; 承知しました; 承知いたしました;
承知です; かしこまりました; 問題ありません; 問題ないです; たしかに; 確かに; その通り; その通りです; 賛成; ぜひ;
네; 넵; 넹; 네네; 넵넵; 예; 응; 응응; 어; 엉; 그래; 그래요; 그럼; 그럼요; 좋아; 좋아요; 좋습니다; 알겠습니다;
알겠어요; 알았어; 알았어요; 알았다; 오케이; 오키; 오케; ㅇㅇ; ㅇㅋ; ㄱㄱ; 맞아; 맞아요; 맞습니다; 물론; 물론이죠;
당연하지; 당연하죠; 문제없어요; 동의합니다; 콜; 옙; 네 알겠습니다; 네 좋아요;
نعم; أيوه; ايوه; ايوا; أيوا; اه; آه; أجل; حسنا; حسناً; طيب; تمام; تمام التمام; أوكي; اوكي; اوك; أكيد; اكيد; طبعا;
طبعاً; بالتأكيد; بالتاكيد; صحيح; صح; موافق; موافقة; ماشي; لا مشكلة; مافي مشكلة; إن شاء الله; ان شاء الله; بالطبع;
على راسي; حاضر;
हाँ; हां; हा; जी; जी हाँ; जी हां; हाँ जी; हां जी; ठीक; ठीक है; ठीक है जी; अच्छा; अच्छा ठीक है; बिल्कुल; ज़रूर; जरूर;
सही; सही है; सही बात है; बिलकुल; हम्म; ओके; कोई बात नहीं; हो जाएगा; haan; haan ji; theek hai; thik hai; accha; acha;
ji; bilkul; sahi hai; hanji;
כן; בסדר; אוקיי; בטח; ברור; סבבה; نعم تمام; ναι; εντάξει; οκ; φυσικά; βέβαια; kyllä; joo; juu; selvä; okei;
totta kai; ja visst; visst; självklart; jepp; jada; selvfølgelig; jo tak; ano; jo jo; jasně; dobře; jistě; da; bine;
sigur; desigur; igen; persze; jó; rendben; vâng; dạ; ừ; được; đồng ý; ừm; iya; ya baik; baik; oke; siap; betul;
setuju; ครับ; ค่ะ; คะ; ใช่; ได้; โอเค; ตกลง; ได้ครับ; ได้ค่ะ; ใช่ครับ; ใช่ค่ะ; بله; باشه; آره; چشم; حتما; جی;
جی ہاں; ٹھیک ہے;
"""

REJECT = """
no; nope; nah; no way; not really; no thanks; no thank you; never; never mind; nevermind; nvm; -1; n; negative;
not now; i don't think so; nein; nee; nö; ne; nein danke; auf keinen fall; lieber nicht; eher nicht; non; nan;
non merci; pas vraiment; pas du tout; jamais; que no; claro que no; no gracias; para nada; nunca; não; nao; nada;
não obrigado; não obrigada; de jeito nenhum; no grazie; mai; assolutamente no; neen; nee dank je; nee bedankt;
nooit; nie; nie dziękuję; нет; неа; не; нет спасибо; никогда; ни за что; ні; hayır; yok; olmaz; hayır teşekkürler;
不; 不是; 不行; 不用; 不用了; 不要; 不好; 没有; 沒有; 别; 不对; 不可以; 算了; いいえ; いや; ううん; いえ; いえいえ;
だめ; ダメ; 違う; 違います; 結構です; 아니; 아니요; 아니오; 아뇨; 안돼; 안 돼; 싫어; 괜찮아요; 됐어; 됐어요; ㄴㄴ;
لا; لأ; كلا; لا شكرا; لا شكراً; أبدا; ابدا; नहीं; नही; ना; जी नहीं; नहीं धन्यवाद; कभी नहीं; nahi; nahin; לא; όχι;
ei; nej; nei; ne děkuji; nu; nem; không; tidak; bukan; nggak; ไม่; ไม่ครับ; ไม่ค่ะ; نه; خیر; نہیں;
"""

ACK = """
thanks; thank you; thank u; thankyou; thx; thnx; thks; tks; ty; tysm; tyvm; tx; ta; cheers; much appreciated;
appreciated; appreciate it; i appreciate it; thanks a lot; thanks so much; thank you so much; thank you very much;
many thanks; thanks a million; thanks a bunch; thanks again; you're welcome; you are welcome; youre welcome;
welcome; yw; my pleasure; anytime; don't mention it; great; good; nice; nice one; cool; awesome; amazing; perfect;
excellent; brilliant; lovely; wonderful; fantastic; super; sweet; neat; wow; whoa; oh; ah; aha; ahh; oh no; oh ok;
oh i see; i see; ic; hm; hmm; mm; mhm; mmhm; uh; um; uh huh; uhhuh; got it; gotcha; understood; noted; copy;
copy that; makes sense; fair; fair enough; good point; good to know; good job; great job; well done; nice work;
good work; great work; congrats; congratulations; gratz; lol; lmao; rofl; omg; wtf; haha; hehe; xd; jk; idk; dunno;
whatever; same; same here; me too; likewise; ditto; so true; i know; i know right; ikr; sorry; my bad; no prob;
all good; it's all good; it's ok; it's fine; that's ok; that's fine; that's great; that's nice; oops; ouch; yay;
woohoo; hooray; bravo; interesting; really; seriously; love it; love that; i love it; so good; so cool; so nice;
looks good; looks great; look good; happy birthday; bless you; take care; good luck; enjoy; have fun; get well soon;
kudos; ack; hear hear; this; indeed so; wow nice; thumbs up; you rock; you're the best; what; huh; please; pls; plz;
xoxo; xx;
danke; danke schön; dankeschön; danke sehr; danke dir; danke euch; danke ihnen; vielen dank; vielen lieben dank;
lieben dank; herzlichen dank; tausend dank; besten dank; bitte; bitte schön; bitteschön; bitte sehr; gern geschehen;
kein problem; kein ding; keine ursache; super; toll; klasse; prima; spitze; cool; geil; hammer; perfekt; wunderbar;
schön; sehr schön; sehr gut; gut gemacht; verstanden; verstehe; ach so; achso; aha; okay verstehe; na gut; na ja;
naja; tja; hmm; echt; wirklich; wow; haha; sorry; entschuldigung; tut mir leid; alles gut; glückwunsch;
herzlichen glückwunsch; gute besserung; viel glück; viel spaß; viel erfolg; ebenso; gleichfalls; dito; ist gut;
ist ok; weiß nicht; keine ahnung; wird gemacht; notiert;
merci; merci beaucoup; merci bien; merci à toi; merci à vous; mille mercis; grand merci; mci; mrc; de rien;
je vous en prie; je t'en prie; super; génial; top; nickel; cool; excellent; bravo; félicitations; bien joué;
bien reçu; bien noté; noté; compris; je vois; ah bon; ah ok; ah d'accord; mdr; ptdr; lol; désolé; désolée; pardon;
pas grave; c'est pas grave; très bien; bien; magnifique; parfait merci; bon courage; bonne chance;
joyeux anniversaire; bon anniversaire; oh là là; tant mieux; hein;
gracias; muchas gracias; mil gracias; muchísimas gracias; gracias a ti; gracias a vos; graciass; de nada;
no hay de qué; con gusto; con mucho gusto; genial; estupendo; excelente; buenísimo; qué bien; qué bueno; muy bien;
bien; guay; chévere; bacano; padre; entendido; ya veo; ah ya; ah vale; ajá; jaja; jeje; lo siento; perdón; disculpa;
felicidades; enhorabuena; feliz cumpleaños; suerte; buena suerte; bravo; anotado; igualmente; de lujo; increíble;
ya; vaya; ni idea; no sé; recibido; ay;
obrigado; obrigada; muito obrigado; muito obrigada; obg; brigado; brigada; brigadão; valeu; vlw; de nada; por nada;
imagina; legal; ótimo; ótima; maravilha; show; show de bola; massa; top; bacana; excelente; que bom; muito bem;
muito bom; entendi; entendido; ah entendi; ah tá; ah sim; kkk; rsrs; desculpa; desculpe; foi mal; parabéns;
feliz aniversário; boa; boa sorte; anotado; igualmente; tmj; tamo junto; nossa; uau; pois é; sei lá; não sei;
recebido; fixe; porreiro; obrigadão;
grazie; grazie mille; mille grazie; tante grazie; molte grazie; grazie tante; grazie a te; grazie infinite; prego;
di niente; figurati; figurarsi; ottimo; bene; benissimo; molto bene; bello; bellissimo; fantastico; grande; bravo;
brava; capito; ho capito; ricevuto; chiaro; ah ok; ah ecco; ahah; ahaha; scusa; scusami; mi dispiace; auguri;
buon compleanno; complimenti; in bocca al lupo; crepi; buona fortuna; non so; boh; mah; wow; dai; che bello;
meraviglioso; altrettanto;
dank je; dankjewel; dank je wel; dank u; dank u wel; bedankt; hartelijk dank; heel erg bedankt; veel dank; dankje;
thanks hoor; graag gedaan; geen dank; leuk; mooi; top; super; geweldig; prachtig; gaaf; lekker; fijn; begrepen;
snap ik; duidelijk; ah oké; haha; sorry; gefeliciteerd; van harte; succes; veel plezier; beterschap; geen idee;
weet ik niet; tof; genoteerd; nou;
dzięki; dziękuję; dziękuje; dzieki; dziena; dzięki wielkie; wielkie dzięki; bardzo dziękuję; dziękuję bardzo;
proszę; proszę bardzo; nie ma za co; super; świetnie; ekstra; fajnie; fajne; bomba; rewelacja; doskonale; brawo;
rozumiem; zrozumiałem; zrozumiano; aha; haha; przepraszam; sorry; sorki; gratulacje; gratki; sto lat; powodzenia;
nie wiem; wow; nieźle;
спасибо; спс; спасибки; пасиб; спасиб; большое спасибо; спасибо большое; огромное спасибо; благодарю; пожалуйста;
не за что; на здоровье; супер; класс; круто; здорово; прекрасно; замечательно; молодец; молодцы; браво; понял;
поняла; понятно; ясно; ясненько; принято; принял; хаха; ахах; ахаха; лол; ого; вау; извини; извините; прости;
простите; сорри; поздравляю; с днем рождения; удачи; взаимно; не знаю; хм; эх; ой; ну; прикольно; отл; пон;
ладненько; дякую; дуже дякую; будь ласка; чудово; зрозуміло;
teşekkürler; teşekkür ederim; çok teşekkürler; çok teşekkür ederim; sağol; sağ ol; sağolun; çok sağol; eyvallah;
rica ederim; bir şey değil; harika; süper; güzel; çok güzel; mükemmel; aferin; bravo; anladım; anlaşıldı; haha;
hahaha; özür dilerim; pardon; kusura bakma; tebrikler; tebrik ederim; iyi ki doğdun; başarılar; kolay gelsin;
bilmiyorum; vay; hmm; not aldım;
谢谢; 謝謝; 谢谢你; 謝謝你; 谢谢您; 谢谢啦; 谢谢大家; 谢啦; 谢了; 多谢; 多謝; 非常感谢; 感谢; 感謝; 太感谢了;
不客气; 不客氣; 不用谢; 不谢; 辛苦了; 辛苦啦; 辛苦; 收到; 收到谢谢; 明白; 明白了; 知道了; 知道啦; 了解; 懂了;
原来如此; 原來如此; 这样啊; 這樣啊; 哦; 哦哦; 噢; 喔; 啊; 哇; 哈; 哈哈; 呵呵; 嘿嘿; 嘻嘻; 呵; 太好了; 太棒了; 真棒;
很好; 棒; 不错; 不錯; 厉害; 牛; 赞; 贊; 加油; 恭喜; 恭喜恭喜; 生日快乐; 对不起; 抱歉; 不好意思; 没事; 没关系;
沒關係; 无语; 汗; 晕; 不知道; 真的吗; 真的; 天啊; 酷; 完美;
ありがとう; ありがとうございます; ありがとうございました; ありがと; あざす; あざっす; あざます; どうもありがとう;
どうもありがとうございます; どうも; 感謝; 感謝します; 助かります; 助かる; サンキュー; さんきゅ; どういたしまして;
いえいえこちらこそ; こちらこそ; お疲れ様; お疲れ様です; お疲れ様でした; お疲れさま; おつかれ; おつかれさまです;
おつ; お疲れ; ご苦労様; すごい; すごいですね; すげー; さすが; 素晴らしい; 素敵; やった; よかった; よかったです;
いいな; 最高; なるほど; なるほどね; なるほどです; へえ; へー; ふーん; ほう; おお; おー; わあ; わー; あー; ああ;
えー; え; ええと; うーん; 笑; 草; www; ごめん; ごめんなさい; すみません; すいません; 申し訳ありません; おめでとう;
おめでとうございます; 頑張って; 頑張ってください; がんばって; がんばれ; お願いします; よろしく;
よろしくお願いします; よろしくお願いいたします; 本当; 本当に; マジ; マジで; まじ; やばい; かわいい; 楽しみ;
楽しみです; 同感; 拝承; 受け取りました;
감사합니다; 감사해요; 감사; 고마워; 고마워요; 고맙습니다; 정말 감사합니다; 땡큐; ㄳ; ㄱㅅ; 천만에요; 아니에요;
별말씀을요; 수고하셨습니다; 수고하세요; 수고했어; 수고했어요; 고생했어; 고생하셨습니다; 최고; 최고예요; 대박; 굿;
굳; 멋져요; 멋지다; 와; 우와; 오; 오오; 아; 아하; 아아; 음; 흠; 헐; 헉; 그렇구나; 그렇군요; 그렇네요; 그러게;
그러게요; 이해했어요; 이해했습니다; 확인; 확인했습니다; 확인했어요; 미안; 미안해; 미안해요; 죄송합니다; 죄송해요;
축하해; 축하해요; 축하합니다; 축하드립니다; 생일 축하해; 파이팅; 화이팅; 힘내; 힘내세요; 진짜; 진짜요; 정말; 정말요;
ㅎㅎ; ㅋㅋ; ㅠㅠ; ㅜㅜ; 몰라; 잘했어; 잘했어요; 부탁드립니다; 부탁해요;
شكرا; شكراً; شكرا لك; شكراً لك; شكرا جزيلا; شكراً جزيلاً; شكرا كثيرا; ألف شكر; الف شكر; مشكور; مشكورة; يسلمو; تسلم;
يعطيك العافية; الله يعطيك العافية; جزاك الله خيرا; بارك الله فيك; عفوا; عفواً; العفو; على الرحب والسعة; ممتاز; رائع;
جميل; حلو; جيد; جيد جدا; عظيم; مبروك; ألف مبروك; الف مبروك; مفهوم; فهمت; واضح; هههه; ههه; هه; آسف; اسف; آسفة; معلش;
ماشاء الله; ما شاء الله; الحمد لله; الحمدلله; سبحان الله; بالتوفيق; لا أعرف; والله; يا سلام; تم; وصل;
धन्यवाद; शुक्रिया; बहुत धन्यवाद; बहुत बहुत धन्यवाद; बहुत शुक्रिया; बहुत बहुत शुक्रिया; थैंक्यू; थैंक्स; स्वागत है;
आपका स्वागत है; बढ़िया; बहुत बढ़िया; बहुत अच्छा; बहुत अच्छे; वाह; शाबाश; कमाल; मस्त; समझ गया; समझ गई; समझ गए; समझा;
हाहा; हा हा; माफ़ करना; माफ करना; क्षमा करें; सॉरी; बधाई हो; बहुत बधाई; बधाई; जन्मदिन मुबारक; शुभकामनाएं; अरे वाह;
अरे; पता नहीं; मालूम नहीं; सच; सच में; shukriya; dhanyavad; dhanyawad; bahut accha; badhiya; waah; samajh gaya;
תודה; תודה רבה; מעולה; יופי; ευχαριστώ; σ'ευχαριστώ; ωραία; τέλεια; kiitos; hienoa; kiva; tack; tack så mycket; bra;
fint; takk; tusen takk; flott; tak for det; mange tak; fedt; super godt; děkuji; děkuju; díky; super díky; skvělé;
mulțumesc; mersi; köszönöm; köszi; szuper; cảm ơn; cám ơn; cảm ơn bạn; tuyệt; tốt; terima kasih; makasih; mantap;
bagus; sama sama; keren; ขอบคุณ; ขอบคุณครับ; ขอบคุณค่ะ; ดี; ดีมาก; ممنون; مرسی; متشکرم; خیلی ممنون; شکریہ;
"""

GREET = """
hi; hey; hello; hiya; heya; howdy; yo; sup; hi there; hey there; hello there; hi all; hi everyone; good morning;
morning; good afternoon; good evening; evening; good night; night; nite; gn; gm; goodnight; bye; bye bye; byebye;
goodbye; cya; see you; see ya; see you later; see you soon; see you tomorrow; see you there; talk later; talk soon;
ttyl; later; how are you; how are you doing; how's it going; how is it going; what's up; whats up; wassup;
nice to meet you; have a nice day; have a good day; have a great day; have a nice weekend; have a good weekend;
have a great weekend; have a good one; sleep well; sweet dreams; welcome back; long time no see; i'm good; i'm fine;
fine thanks; good thanks; happy new year; merry christmas; rip;
hallo; hi zusammen; hallo zusammen; moin; moin moin; servus; grüß dich; grüß gott; grüezi; guten morgen; guten tag;
guten abend; gute nacht; tschüss; tschüs; ciao; bis dann; bis später; bis bald; bis morgen; bis gleich;
auf wiedersehen; mach's gut; schönen tag; schönen tag noch; schönen abend; schönes wochenende; wie geht's;
wie geht es dir; mir geht's gut; na; n8;
salut; bonjour; bonsoir; coucou; bonne nuit; bonne journée; bonne soirée; bon week-end; bon weekend; au revoir;
à bientôt; à demain; à plus; à plus tard; à tout à l'heure; à toute; ça va; comment ça va; comment vas-tu; bises;
bisous; bienvenue; ciao;
hola; buenas; buenos días; buen día; buenas tardes; buenas noches; adiós; chao; chau; hasta luego; hasta mañana;
hasta pronto; nos vemos; qué tal; cómo estás; cómo va; qué onda; qué hubo; saludos; besos; un abrazo; abrazos;
bienvenido; holi;
oi; olá; ola; bom dia; boa tarde; boa noite; tchau; até logo; até amanhã; até mais; até já; tudo bem; tudo bom;
como vai; e aí; e ai; beijo; beijos; bjs; abraço; abraços; bom fim de semana; bem-vindo; falou; flw;
tudo bem e você; oie;
buongiorno; buon giorno; buonasera; buona sera; buonanotte; buona notte; salve; arrivederci; a dopo; a domani;
a presto; ci vediamo; come stai; come va; tutto bene; buona giornata; buona serata; buon weekend; baci; un bacio;
un abbraccio; benvenuto;
hoi; hoi hoi; goedemorgen; goedemiddag; goedenavond; goedenacht; welterusten; doei; dag; tot ziens; tot straks;
tot morgen; tot zo; tot later; hoe gaat het; alles goed; fijne dag; fijn weekend; fijne avond; groetjes; welkom;
goeiemorgen; houdoe;
cześć; czesc; hej; hejka; siema; siemka; dzień dobry; dobry wieczór; dobranoc; pa; papa; do widzenia; do zobaczenia;
do jutra; na razie; narazie; co słychać; jak się masz; miłego dnia; miłego weekendu; witam; witaj; pozdrawiam;
buziaki; trzymaj się;
привет; приветик; привет всем; всем привет; здравствуйте; здравствуй; доброе утро; добрый день; добрый вечер;
доброй ночи; спокойной ночи; пока; пока пока; до свидания; до встречи; до завтра; увидимся; как дела; как ты; хай;
прив; ку; добрый; хорошего дня; хороших выходных; всего доброго; целую; обнимаю; споки; вітаю; доброго ранку;
добрий день; бувай; до побачення;
merhaba; selam; selamlar; günaydın; iyi günler; iyi akşamlar; iyi geceler; tünaydın; hoşça kal; hoşçakal; güle güle;
görüşürüz; görüşmek üzere; nasılsın; nasılsınız; naber; ne haber; iyiyim; hoş geldin; hoş bulduk; iyi hafta sonları;
kib; öptüm;
你好; 您好; 大家好; 嗨; 哈喽; 哈囉; 早; 早啊; 早上好; 早安; 上午好; 中午好; 下午好; 晚上好; 晚安; 再见; 再見; 拜拜;
拜; 明天见; 回头见; 回见; 待会见; 一会儿见; 在吗; 在嗎; 你好吗; 最近怎么样; 周末愉快; 新年快乐; 吃了吗; 欢迎; 歡迎;
こんにちは; こんばんは; おはよう; おはようございます; おはよ; おやすみ; おやすみなさい; さようなら; またね;
また明日; じゃあね; じゃね; ではまた; バイバイ; やあ; もしもし; お元気ですか; 元気; はじめまして; いらっしゃい;
ようこそ; ただいま; おかえり; おかえりなさい; いってきます; 行ってきます; いってらっしゃい; お世話になっております;
お世話になります; 失礼します; お先に失礼します; 良い一日を; 良い週末を; あけましておめでとうございます;
안녕; 안녕하세요; 안녕하십니까; 여러분 안녕하세요; 좋은 아침; 좋은 아침이에요; 좋은 하루 되세요; 좋은 하루;
좋은 주말 보내세요; 잘 자; 잘자; 잘자요; 안녕히 주무세요; 안녕히 가세요; 안녕히 계세요; 잘 가; 잘가; 또 봐; 또 봐요;
내일 봐; 내일 봐요; 내일 봬요; 나중에 봐; 바이; 빠이; 하이; 헬로; 여보세요; 반가워; 반가워요; 반갑습니다; 잘 지내;
잘 지내세요; 어서 오세요; 환영합니다; 새해 복 많이 받으세요;
السلام عليكم; السلام عليكم ورحمة الله; السلام عليكم ورحمة الله وبركاته; وعليكم السلام; و عليكم السلام; سلام; مرحبا;
مرحباً; اهلا; أهلا; أهلاً; اهلا وسهلا; أهلا وسهلا; أهلاً وسهلاً; هلا; هلا والله; صباح الخير; صباح النور; مساء الخير;
مساء النور; تصبح على خير; تصبحون على خير; مع السلامة; إلى اللقاء; الى اللقاء; باي; كيف حالك; كيفك; كيف الحال; بخير;
شلونك; إزيك; ازيك; نورت; حياك الله; كل عام وأنتم بخير; عيد مبارك;
नमस्ते; नमस्कार; प्रणाम; हैलो; हेलो; हाय; राम राम; सुप्रभात; शुभ प्रभात; गुड मॉर्निंग; शुभ रात्रि; गुड नाइट;
शुभ संध्या; अलविदा; बाय; फिर मिलेंगे; कल मिलते हैं; कैसे हो; कैसे हैं; आप कैसे हैं; क्या हाल है; मैं ठीक हूँ;
सब ठीक; सब ठीक है; जय श्री कृष्ण; namaste; namaskar; kaise ho; kya haal hai; phir milenge; shubh ratri; שלום;
בוקר טוב; לילה טוב; ערב טוב; מה שלומך; מה נשמע; ביי; γεια; γεια σου; καλημέρα; καλησπέρα; καληνύχτα; moi; terve;
huomenta; hyvää huomenta; hyvää yötä; hejsan; god morgon; god natt; hej då; god morgen; ha det; farvel; ahoj;
dobrý den; dobré ráno; dobrou noc; bună; bună dimineața; noapte bună; la revedere; szia; sziasztok; jó reggelt;
jó éjszakát; xin chào; chào; chào bạn; tạm biệt; chúc ngủ ngon; halo; selamat pagi; selamat malam; selamat siang;
sampai jumpa; apa kabar; สวัสดี; สวัสดีครับ; สวัสดีค่ะ; ราตรีสวัสดิ์; درود; خداحافظ; صبح بخیر; شب بخیر;
"""

COMMAND = """
help; commands; quit; exit; continue; go on; carry on; go ahead; keep going; proceed; next; next one; next step;
with the next step; continue with the next step; proceed with the next step; stop; wait; one moment; one sec;
one second; sec; a sec; hold on; hang on; just a moment; brb; afk; back; i'm back; try again; again; retry; repeat;
redo; undo; more; show more; tell me more; menu; start; reset; restart; clear; refresh; ping; test; testing; list;
status; run; run it; q; :q; :wq; why; how; when; who; where;
weiter; mach weiter; weiter so; fortfahren; stopp; halt; warte; moment; einen moment; moment mal; nochmal; noch mal;
nochmals; hilfe; mehr; suivant; arrête; attends; encore; aide; plus; un moment; une seconde; continúa; continua;
sigue; siguiente; para; espera; un momento; otra vez; ayuda; más; próximo; seguinte; espera aí; de novo; ajuda;
mais; um momento; continuar; avanti; prossimo; aspetta; un attimo; ancora; aiuto; di più; ga door; ga verder;
volgende; wacht; wacht even; opnieuw; nog een keer; meer; dalej; kontynuuj; następny; czekaj; chwila; moment;
jeszcze raz; pomoc; więcej; дальше; продолжай; продолжайте; стоп; подожди; подождите; минутку; секунду; еще; ещё;
еще раз; ещё раз; помощь; след; devam; devam et; dur; bekle; bir dakika; bir saniye; tekrar; yardım; sonraki; 继续;
繼續; 下一个; 下一步; 停; 等等; 等一下; 稍等; 等下; 再来一次; 再试一次; 帮助; 续; 続けて; 続けてください; 続き; 次;
次へ; 待って; ちょっと待って; ちょっと待ってください; 少々お待ちください; ストップ; もう一度; もう一回; ヘルプ;
계속; 계속해; 계속해줘; 계속해주세요; 다음; 잠깐; 잠깐만; 잠깐만요; 잠시만요; 기다려; 멈춰; 다시; 한번 더; 도와줘;
أكمل; اكمل; استمر; التالي; توقف; انتظر; لحظة; مرة أخرى; مساعدة; जारी रखो; जारी रखें; आगे; आगे बढ़ो; रुको; रुकिए;
एक मिनट; फिर से; मदद; और;
"""

FILLER = """
so; very; much; a lot; too; then; now; all; everyone; everybody; guys; folks; team; man; bro; dude; mate; buddy;
dear; sir; madam; again; just; really; and; but; well; oh; ah; the; that; it; is; to; me; for; of; you; u; love;
honey; babe; friend; friends; there; here; today; also; still; as well; for that; for this; for your help;
for the help; for everything; for the info; for the update; for sharing; for letting me know; in advance; indeed;
please; pls; lah; la; ma; da; doch; mal; dann; so weit; sehr; auch; euch; dir; ihnen; alle; zusammen; leute; schon;
noch; und; aber; mein; meine; lieber; liebe; für alles; im voraus; für die info; für die hilfe; beaucoup; bien;
alors; donc; et; à tous; tout le monde; les gars; mon; ma; ami; amie; chef; très; pour tout; pour l'info; muy;
mucho; muchas; pues; entonces; y; a todos; todos; chicos; amigo; amiga; hermano; tío; por todo; por la info; muito;
então; e; gente; pessoal; galera; cara; mano; amigo; por tudo; molto; allora; a tutti; tutti; ragazzi; caro; cara;
di tutto; heel; erg; dan; en; allemaal; jongens; hoor; bardzo; to; wszystkim; wszyscy; stary; очень; тогда; и;
всем; ребята; друг; дорогой; дорогая; ну; вот; за все; çok; o zaman; ve; herkese; arkadaşlar; abi; hocam; canım;
kardeşim; 啊; 呀; 啦; 了; 吧; 哦; 呢; 哈; 的; 嘛; 哟; 喔; 噢; 哇; 亲; 大家; 老师; 各位; です; ですね; ね; よ; な;
さん; みんな; 皆さん; とても; 本当に; どうも; 요; 정말; 진짜; 너무; 다들; 여러분; 님; 형; 언니; 오빠; جدا; جداً; يا;
أخي; اخي; حبيبي; حبيبتي; صديقي; للجميع; جميعا; كثيرا; बहुत; जी; भाई; यार; दोस्त; सब; सबको; तो; भैया; bhai; yaar; ji;
"""

#: Laughter of any length, as one token.
LAUGHS = (
    r"(?:[hx]+[aeiou]+){2,}h?|a*(?:ha){2,}h?|(?:ja|je|ji){2,}j?|k{3,}|w{2,}|(?:rs){2,}|lo+l+|r?o?fl+|x+d+|(?:ах"
    r"|ха|хе|хи){2,}х?"
    r"|哈{2,}|呵{2,}|嘿{2,}|嘻{2,}|[ㅋㅎㅠㅜ]+|ه{2,}|(?:खी|ही|हा){2,}|草+|笑+|h+m+|m{2,}|a+h+|o+h+|u+h+"
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
    r"|andiamo|dove|propongo|zullen|wil|kun|kan|wanneer|waar|czy|kiedy|gdzie|proponuje|давай|давайте|может|можно"
    r"|когда|где|кто|что"
    r"|предлагаю|هل|متى|أين|من|क्या|कब|कहाँ|कौन|要不要|我们|我們|建议|能不能|可以)(?![\w])"
    r"|(?:吗|嗎|么|呢|吧|好不好|行不行|怎么样|怎麼樣|か|かな|でしょう|ましょう|까|까요|나요|니|자|ですか|ますか"
    r"|mi|mı|mu|mü|misin|mısın)$"
    r"|要不要|能不能|是不是|可不可以|好不好|行不行|如何|怎么样|提议|建议"
)
